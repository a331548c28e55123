import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Bug, CircleX, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import type { LogLevel, LogLine, RunStory } from "../api/types.ts";
import { classNames } from "../parts/class-names.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Select } from "../parts/field.tsx";
import { PanelSection } from "../parts/side-panel.tsx";
import { absoluteTime } from "../parts/time.tsx";
import { choicesOf, levelOf, linesFrom, linesText } from "./log-lines.ts";
import { useRunSearch } from "./run-search.ts";
import { offsetText } from "./timeline.ts";

const LEVELS: Record<LogLevel, { icon: LucideIcon; color: string; border: string; word: string }> = {
  debug: { icon: Bug, color: "text-muted", border: "border-transparent", word: "Debug" },
  info: { icon: Info, color: "text-running", border: "border-transparent", word: "Info" },
  warn: { icon: TriangleAlert, color: "text-cancelled", border: "border-cancelled", word: "Warn" },
  error: { icon: CircleX, color: "text-failed", border: "border-failed", word: "Error" },
};

/** Up to so many lines are all in the page, where the browser's own search finds them. */
const ALL_IN_PAGE = 200;
/** Height of a line that does not wrap, px. */
const LINE_PX = 24;
const OVERSCAN = 20;

/** What a run has logged. @param step id of the one step whose lines are shown */
export function RunLogs({ run, step }: { run: RunStory; step: string | undefined }) {
  const [search, change] = useRunSearch();
  const names = useMemo(() => new Map(run.steps.map(({ id, name }) => [id, name])), [run.steps]);
  const all = useMemo(
    () => (step === undefined ? run.logs : run.logs.filter(({ step_id }) => step_id === step)),
    [run.logs, step],
  );
  const level = levelOf(search.level);
  const lines = useMemo(() => linesFrom(all, level), [all, level]);
  const choices = choicesOf(all);
  if (all.length === 0) return step === undefined && <NoLines />;
  return (
    <PanelSection
      title={`Logs (${all.length})`}
      actions={
        <>
          {(choices.length > 0 || level !== undefined) && (
            <Select
              label="Lines shown"
              hiddenLabel
              value={level ?? ""}
              onChange={(event) => change({ level: event.target.value || undefined })}
            >
              <option value="">All levels</option>
              {Object.entries(LEVELS)
                .filter(([name]) => choices.includes(name as LogLevel) || name === level)
                .map(([name, { word }]) => (
                  <option key={name} value={name}>
                    {name === "error" ? "Errors" : `${word} and above`}
                  </option>
                ))}
            </Select>
          )}
          <CopyButton
            label={lines.length === all.length ? "Copy all" : "Copy the lines shown"}
            text={() => linesText(lines, names)}
          />
        </>
      }
    >
      {lines.length === 0 ? (
        <p className="text-muted">None of these lines is of that level.</p>
      ) : (
        <Lines
          lines={lines}
          from={Date.parse(run.queued_at)}
          names={step === undefined ? names : null}
          follow={run.ended_at === null}
        />
      )}
    </PanelSection>
  );
}

function NoLines() {
  return (
    <PanelSection title="Logs">
      <p className="text-muted">
        None. What a handler writes with its logger, as in <code>logger.info("…")</code>, shows here; apps
        with an inngest client send no lines.
      </p>
    </PanelSection>
  );
}

interface LinesProps {
  lines: readonly LogLine[];
  /** Beginning of the run, ms. */
  from: number;
  /** Names of steps by id; null where all lines are of one step. */
  names: ReadonlyMap<string, string> | null;
  /** More may come: whoever is at the end stays there. */
  follow: boolean;
}

function Lines({ lines, from, names, follow }: LinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(follow);
  const whole = lines.length <= ALL_IN_PAGE;
  const virtual = useVirtualizer({
    count: whole ? 0 : lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  const { scrollToIndex } = virtual;
  useEffect(() => {
    if (!atEnd.current) return;
    if (whole) scroller.current?.scrollTo(0, scroller.current.scrollHeight);
    else scrollToIndex(lines.length - 1, { align: "end" });
  }, [lines.length, whole, scrollToIndex]);
  return (
    <div
      ref={scroller}
      role="region"
      aria-label="Log lines"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        atEnd.current = scrollTop + clientHeight >= scrollHeight - LINE_PX;
      }}
      className="@container max-h-[min(60vh,560px)] overflow-y-auto rounded-md border bg-panel py-1"
    >
      {whole ? (
        <ol>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added
            <li key={index}>
              <Line line={line} from={from} names={names} />
            </li>
          ))}
        </ol>
      ) : (
        <ol style={{ height: virtual.getTotalSize() }} className="relative">
          {virtual.getVirtualItems().map(({ index, start }) => (
            <li
              key={index}
              ref={virtual.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={lines.length}
              style={{ transform: `translateY(${start}px)` }}
              className="absolute inset-x-0 top-0"
            >
              <Line line={lines[index]!} from={from} names={names} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Line({ line, from, names }: { line: LogLine } & Pick<LinesProps, "from" | "names">) {
  const { icon: Icon, color, border, word } = LEVELS[line.level];
  const at = Date.parse(line.at);
  return (
    <div
      className={classNames(
        "flex flex-wrap items-baseline gap-x-2 border-l-2 px-2 py-[3px] text-xs @[28rem]:flex-nowrap",
        border,
      )}
    >
      <time
        dateTime={line.at}
        title={absoluteTime(at)}
        className="tabular shrink-0 whitespace-nowrap text-muted @[28rem]:w-16 @[28rem]:text-right"
      >
        {offsetText(at - from, 1)}
      </time>
      <span className={classNames("flex shrink-0 items-baseline gap-1 @[28rem]:w-14", color)}>
        <Icon size={12} aria-hidden className="shrink-0 self-center" />
        {word}
      </span>
      <Origin line={line} names={names} />
      <span className="min-w-0 basis-full font-mono break-words whitespace-pre-wrap @[28rem]:flex-1 @[28rem]:basis-0">
        {line.text}
      </span>
    </div>
  );
}

/** The step that wrote a line, and in which attempt if that was not the first. */
function Origin({
  line: { step_id, attempt },
  names,
}: {
  line: LogLine;
  names: LinesProps["names"];
}): ReactNode {
  const name = step_id === null ? undefined : names?.get(step_id);
  if (name === undefined && !attempt) return null;
  return (
    <span className="flex max-w-[40%] min-w-0 gap-x-2 text-muted @[28rem]:order-last @[28rem]:max-w-36">
      {name !== undefined && (
        <Link
          to="."
          search={((before: object) => ({ ...before, step: step_id })) as never}
          className="truncate hover:text-text hover:underline"
        >
          {name}
        </Link>
      )}
      {!!attempt && <span className="shrink-0">attempt {attempt + 1}</span>}
    </span>
  );
}
