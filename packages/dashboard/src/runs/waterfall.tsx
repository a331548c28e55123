import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Moon, MoveHorizontal, ZoomIn, ZoomOut } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { RunStory } from "../api/types.ts";
import { IconButton } from "../parts/button.tsx";
import { classNames } from "../parts/class-names.ts";
import { useWidth } from "../parts/element-size.ts";
import { useShortcut } from "../parts/shortcuts.ts";
import { StatusIcon, statusWord } from "../parts/status-badge.tsx";
import { durationText } from "../parts/time.tsx";
import type { RunSearch } from "./run-search.ts";
import { axisTicks, TimeAxis } from "./time-axis.tsx";
import { type Span, type SpanKind, type TimelineRow, timelineOf } from "./timeline.ts";
import { useWheelZoom, useZoom, type View, ZOOM_STEP } from "./zoom.ts";

const ROW_PX = 28;

interface WaterfallProps {
  run: RunStory;
  /** The present, ms. */
  now: number;
  /** Key of the row whose details are shown. */
  selected: string;
  /** CSS; the rows scroll within it. */
  maxHeight: string;
}

/** The wait, every step and every attempt of a run on a time axis. Only the rows in sight are in the page. */
export function Waterfall({ run, now, selected, maxHeight }: WaterfallProps) {
  const timeline = timelineOf(run, now);
  const { rows, from, to } = timeline;
  const zoom = useZoom({ from, to });
  const [measureTrack, trackWidth] = useWidth();
  const [track, setTrack] = useState<HTMLElement | null>(null);
  const [area, setArea] = useState<HTMLElement | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const timeAt = (clientX: number) => {
    const box = track?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return zoom.view.from;
    const share = Math.min(1, Math.max(0, (clientX - box.left) / box.width));
    return zoom.view.from + share * (zoom.view.to - zoom.view.from);
  };
  useWheelZoom(area, zoom, timeAt);
  useShortcut({ keys: "+", label: "Zoom in", group: "Run" }, () => zoom.zoom(ZOOM_STEP));
  useShortcut({ keys: "-", label: "Zoom out", group: "Run" }, () => zoom.zoom(1 / ZOOM_STEP));
  useShortcut({ keys: "0", label: "Show all of the run", group: "Run" }, zoom.fit);

  const virtual = useVirtualizer({
    // With the next frame, not with each turn of the wheel.
    useFlushSync: false,
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const at = rows.findIndex(({ key }) => key === selected);
  const first = useRef(true);
  useEffect(() => {
    // An address that names a step shows it.
    if (first.current && at > 0) virtual.scrollToIndex(at, { align: "center" });
    first.current = false;
  }, [at, virtual]);

  const focusRow = (index: number) => {
    virtual.scrollToIndex(index, { align: "auto" });
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus(),
    );
  };
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const focused = document.activeElement?.closest<HTMLElement>("[data-index]")?.dataset.index;
    const index = focused === undefined ? at : Number(focused);
    if (event.key === "ArrowDown") focusRow(Math.min(rows.length - 1, index + 1));
    else if (event.key === "ArrowUp") focusRow(Math.max(0, index - 1));
    else if (event.key === "ArrowRight" && zoom.zoomed) zoom.pan(0.2);
    else if (event.key === "ArrowLeft" && zoom.zoomed) zoom.pan(-0.2);
    else return;
    event.preventDefault();
  };
  const ticks = axisTicks(zoom.view, from, trackWidth);

  return (
    <section ref={setArea} aria-label="Timeline" className="border-b">
      <div className="flex min-h-9 items-center gap-1 px-4">
        <h3 className="flex-1 text-xs font-medium text-muted">
          Timeline
          {run.steps.length > 0 && ` · ${run.steps.length} ${run.steps.length === 1 ? "step" : "steps"}`}
        </h3>
        <IconButton
          label="Zoom out"
          keys="-"
          icon={<ZoomOut size={14} />}
          disabled={!zoom.zoomed}
          onClick={() => zoom.zoom(1 / ZOOM_STEP)}
        />
        <IconButton
          label="Zoom in"
          keys="+"
          icon={<ZoomIn size={14} />}
          onClick={() => zoom.zoom(ZOOM_STEP)}
        />
        <IconButton
          label="Show all"
          keys="0"
          icon={<MoveHorizontal size={14} />}
          disabled={!zoom.zoomed}
          onClick={zoom.fit}
        />
      </div>
      <div
        className={classNames(GRID, "overflow-hidden border-y bg-panel pr-4 pl-4 [scrollbar-gutter:stable]")}
      >
        <span />
        <div
          ref={(element) => {
            measureTrack(element);
            setTrack(element);
          }}
        >
          <TimeAxis zoom={zoom} origin={from} width={trackWidth} timeAt={timeAt} />
        </div>
        <span />
      </div>
      <div
        ref={scroller}
        role="group"
        aria-label="Steps"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        style={{ maxHeight }}
        className="overflow-x-hidden overflow-y-auto focus-visible:-outline-offset-2 [scrollbar-gutter:stable]"
        onKeyDown={onKey}
      >
        <ul style={{ height: virtual.getTotalSize() }} className="relative">
          {virtual.getVirtualItems().map(({ index, start }) => (
            <Row
              key={rows[index]!.key}
              row={rows[index]!}
              index={index}
              top={start}
              view={zoom.view}
              selected={rows[index]!.key === selected}
              marks={ticks.map(({ at: mark }) => mark + from)}
            />
          ))}
        </ul>
      </div>
    </section>
  );
}

const GRID = "grid grid-cols-[minmax(88px,min(34%,280px))_minmax(0,1fr)_60px] gap-x-2";

interface RowProps {
  row: TimelineRow;
  index: number;
  top: number;
  view: View;
  selected: boolean;
  marks: number[];
}

function Row({ row, index, top, view, selected, marks }: RowProps) {
  const { key, name, status, spans, attempts } = row;
  // A run takes as long as lists say: from its first call on.
  const begin = (key === "run" ? (spans.find(({ kind }) => kind !== "queued") ?? spans[0]) : spans[0])?.from;
  const end = spans.at(-1)?.to;
  const took = begin === undefined || end === undefined ? null : end - begin;
  return (
    <li data-index={index} style={{ transform: `translateY(${top}px)` }} className="absolute inset-x-0 top-0">
      <Link
        to="."
        search={((now: RunSearch) => ({ ...now, step: key === "run" ? undefined : key })) as never}
        replace
        preload={false}
        // One stop for the tab key; arrows move on from there.
        tabIndex={selected ? undefined : -1}
        activeOptions={{ exact: true, includeSearch: true }}
        className={classNames(
          GRID,
          "h-7 items-center px-4 hover:bg-hover focus-visible:-outline-offset-2",
          selected && "bg-accent-soft hover:bg-accent-soft",
        )}
      >
        <span className={classNames("flex min-w-0 items-center gap-1.5", key !== "run" && "pl-3")}>
          <RowIcon row={row} />
          <span className={classNames("truncate", key === "run" && "font-medium")} title={name}>
            {name}
          </span>
          <span className="sr-only">{statusWord(status)}</span>
          {attempts > 1 && key !== "run" && (
            <span className="tabular shrink-0 text-xs text-muted" title={`${attempts} attempts`}>
              ×{attempts}
            </span>
          )}
        </span>
        <span className="relative h-full overflow-hidden">
          {marks.map((mark) => (
            <i
              key={mark}
              style={{ left: share(mark, view) }}
              className="absolute inset-y-0 border-l border-line/70"
            />
          ))}
          {spans.map((span) => (
            <Bar key={`${span.kind}${span.from}`} span={span} view={view} />
          ))}
        </span>
        <span className="tabular truncate text-right text-xs text-muted">
          {row.kept === true ? "kept" : took === null ? "–" : durationText(took)}
        </span>
      </Link>
    </li>
  );
}

function RowIcon({ row: { op, status } }: { row: TimelineRow }): ReactNode {
  if (op === "Sleep" && status === "completed")
    return <Moon size={13} aria-hidden className="shrink-0 text-muted" />;
  return <StatusIcon status={status} size={13} />;
}

/** Waits are thin, work is thick: what costs time is seen at once. */
const BARS: Record<SpanKind, string> = {
  queued: "h-1 bg-queued/60",
  retry: "h-px bg-failed/70",
  sleeping: "h-1.5 bg-queued/35",
  running: "h-3 bg-running animate-breathe",
  completed: "h-3 bg-completed",
  failed: "h-3 bg-failed",
  cancelled: "h-3 bg-cancelled",
};

const SPAN_WORDS: Record<SpanKind, string> = {
  queued: "Waited",
  retry: "Pause before the next attempt",
  sleeping: "Slept",
  running: "Running for",
  completed: "Completed in",
  failed: "Failed after",
  cancelled: "Cancelled after",
};

function Bar({ span, view }: { span: Span; view: View }) {
  const { kind, from, to } = span;
  if (to < view.from || from > view.to) return null;
  const left = Math.max(from, view.from);
  const right = Math.min(to, view.to);
  return (
    <i
      title={`${SPAN_WORDS[kind]} ${durationText(to - from)}`}
      style={{
        left: share(left, view),
        width: `max(2px, ${((right - left) / (view.to - view.from)) * 100}%)`,
      }}
      className={classNames("absolute top-1/2 -translate-y-1/2 rounded-[2px]", BARS[kind])}
    />
  );
}

/** Where a moment lies, CSS; never so far right that a bar of 2 px is out of sight. */
function share(at: number, view: View): string {
  return `min(${((at - view.from) / (view.to - view.from)) * 100}%, calc(100% - 2px))`;
}
