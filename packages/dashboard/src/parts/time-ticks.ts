/** Marks of time axes at round moments. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Distances that people count in, ms, from a millisecond to months. */
const ROUND_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 30, 60, 120, 240].map((n) => n * DAY),
];

/** The least round distance at which no more than `most` marks stand in a length, ms. */
export function roundStep(length: number, most: number, least = 0): number {
  return ROUND_MS.find((ms) => ms >= least && length / ms <= most) ?? ROUND_MS.at(-1)!;
}

const TIMES = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const SECONDS = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const DAYS = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

export interface TimeTick {
  /** ms since the epoch */
  at: number;
  text: string;
}

/**
 * Round moments in a range, by the reader's clock: full hours, quarters, days from midnight on. Ranges of more than two
 * days are told by days.
 * @param offsetMs how far the reader's clock is behind UTC
 * @example timeTicks(Date.parse("2026-05-01T10:07"), Date.parse("2026-05-01T13:07"), 4).map(({ text }) => text)
 * // ["11:00", "12:00", "13:00"]
 */
export function timeTicks(from: number, to: number, most: number, offsetMs = offsetAt(from)): TimeTick[] {
  const step = roundStep(to - from, most, to - from > 2 * DAY ? DAY : 0);
  const format = step >= DAY ? DAYS : step >= MINUTE ? TIMES : SECONDS;
  const ticks: TimeTick[] = [];
  for (let at = Math.ceil((from - offsetMs) / step) * step + offsetMs; at <= to; at += step) {
    ticks.push({ at, text: format.format(at) });
  }
  return ticks;
}

function offsetAt(time: number): number {
  return new Date(time).getTimezoneOffset() * MINUTE;
}
