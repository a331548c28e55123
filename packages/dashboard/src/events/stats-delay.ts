/** Least time between two looks at the statistics because of events that came, ms. */
const STATS_MS = 3_000;
/** The runs that an event starts get this much time to begin, ms. */
const SETTLE_MS = 250;

/**
 * How long the statistics wait when an event comes, ms: the first one is counted at once, those of a burst together.
 * @param sinceLastMs since they were read the last time because of an event
 */
export function statsDelayMs(sinceLastMs: number): number {
  return Math.max(SETTLE_MS, STATS_MS - sinceLastMs);
}
