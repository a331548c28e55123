import { useMemo } from "react";
import { classNames } from "../parts/class-names.ts";
import { type DiffLine, diffLines, hunksOf } from "./line-diff.ts";

interface DiffViewProps {
  label: string;
  before: string;
  after: string;
  /** Said when there is no difference. */
  same: string;
  /** Highest it grows, CSS. */
  maxHeight?: string;
}

const MARKS = { same: " ", removed: "−", added: "+" };
const LOOKS = {
  same: "",
  removed: "bg-[color-mix(in_srgb,var(--failed)_13%,transparent)]",
  added: "bg-[color-mix(in_srgb,var(--completed)_15%,transparent)]",
};
/** More lines than anybody reads are not drawn. */
const MAX_SHOWN = 2_000;

/** What went and what came between two texts, with a few lines around. */
export function DiffView({ label, before, after, same, maxHeight = "50vh" }: DiffViewProps) {
  const { hunks, rest } = useMemo(() => hunksOf(diffLines(before, after)), [before, after]);
  if (hunks.length === 0) return <p className="px-3 py-4 text-muted">{same}</p>;
  let room = MAX_SHOWN;
  return (
    <div
      role="region"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={{ maxHeight }}
      className="overflow-auto rounded-md border font-mono text-xs [font-variant-ligatures:none]"
    >
      <div className="w-max min-w-full">
        {hunks.map(({ skipped, lines }, at) => {
          const shown = lines.slice(0, room);
          room -= shown.length;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: hunks have no other name, and never move
            <div key={at}>
              <Skipped count={skipped} />
              {shown.map((line) => (
                <Line key={`${line.before} ${line.after}`} line={line} />
              ))}
              {shown.length < lines.length && (
                <p className="bg-panel px-3 text-muted">… {lines.length - shown.length} more lines</p>
              )}
            </div>
          );
        })}
        <Skipped count={rest} />
      </div>
    </div>
  );
}

function Line({ line }: { line: DiffLine }) {
  const { kind, text, before, after } = line;
  return (
    <div className={classNames("flex leading-5 whitespace-pre", LOOKS[kind])}>
      <span aria-hidden className="w-9 shrink-0 pr-2 text-right text-muted select-none">
        {before}
      </span>
      <span aria-hidden className="w-9 shrink-0 pr-2 text-right text-muted select-none">
        {after}
      </span>
      <span className="w-4 shrink-0 select-none">{MARKS[kind]}</span>
      <span className="pr-3">
        {kind !== "same" && <span className="sr-only">{kind}: </span>}
        {text === "" ? " " : text}
      </span>
    </div>
  );
}

function Skipped({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="border-y border-line bg-panel px-3 leading-6 text-muted first:border-t-0 last:border-b-0">
      {count} unchanged line{count === 1 ? "" : "s"}
    </p>
  );
}
