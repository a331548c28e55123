/** What the chart of events draws, from what the API has counted. */
import type { EventStats } from "../api/types.ts";

/** Whether there were too many events to look what each of them has started. */
export function hasUnknown({ outcomes_from, after }: Pick<EventStats, "outcomes_from" | "after">): boolean {
  return outcomes_from > after;
}

/**
 * Counts from the bottom up: with failed runs, that triggered something, that triggered nothing; and, only if there are
 * such, those that were not looked into.
 */
export function bucketsOf(stats: EventStats): { start: number; values: number[] }[] {
  const unknown = hasUnknown(stats);
  return stats.buckets.map(({ start, count, triggered, failed }) => {
    const known = [failed, triggered - failed, count - triggered];
    // The first bucket begins before the range does.
    const lookedInto = !unknown || start >= stats.outcomes_from;
    const values = lookedInto ? known : [0, 0, 0];
    return { start: Date.parse(start), values: unknown ? [...values, lookedInto ? 0 : count] : values };
  });
}
