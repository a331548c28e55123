import { useSyncExternalStore } from "react";
import { LazyTooltip } from "./tooltip.tsx";

/** One clock for all times of the page: it ticks each second while somebody looks. */
const watchers = new Set<() => void>();
let now = Date.now();
let ticking: ReturnType<typeof setInterval> | undefined;

function watchClock(watcher: () => void): () => void {
  watchers.add(watcher);
  ticking ??= setInterval(() => {
    now = Date.now();
    for (const each of watchers) each();
  }, 1_000);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

const UNITS: [name: string, ms: number][] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
];

/** @example relativeTime(now - 90_000, now) // "1m ago" */
export function relativeTime(time: number, from: number): string {
  const past = from - time;
  const ms = Math.abs(past);
  if (ms < 1_000) return "just now";
  if (ms > 30 * 86_400_000) return new Date(time).toLocaleDateString();
  const [unit, length] = UNITS.find(([, each]) => ms >= each)!;
  const text = `${Math.floor(ms / length)}${unit}`;
  return past > 0 ? `${text} ago` : `in ${text}`;
}

const ABSOLUTE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** The moment in the reader's time zone, to the millisecond. */
export function absoluteTime(time: number): string {
  return `${ABSOLUTE.format(time)}.${String(time % 1_000).padStart(3, "0")}`;
}

const MINUTES = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The moment in the reader's time zone, to the minute. */
export function minuteText(at: string): string {
  return MINUTES.format(Date.parse(at));
}

/** A length of time. @example durationText(1_234) // "1.23 s" */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} m ${Math.floor((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} m`;
}

/** The present, ms, second by second. */
export function useNow(): number {
  return useSyncExternalStore(watchClock, () => now);
}

/** A time that is ahead of this clock by no more is of now: clocks differ, ms. */
const AHEAD_MS = 30_000;

/** How long ago, or in how long; the moment itself on hover. */
export function Time({ at }: { at: string }) {
  const time = Date.parse(at);
  // The snapshot is the text: only the times whose text changes are drawn anew.
  const text = useSyncExternalStore(watchClock, () =>
    relativeTime(time, time - now > AHEAD_MS ? now : Math.max(now, time)),
  );
  return (
    <LazyTooltip text={<span className="tabular">{absoluteTime(time)}</span>}>
      <time dateTime={at} className="tabular whitespace-nowrap">
        {text}
      </time>
    </LazyTooltip>
  );
}
