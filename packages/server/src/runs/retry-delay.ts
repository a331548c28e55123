/** When a failed attempt is tried again. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delay after the n-th failed attempt; after the last of these, the last again and again. */
const DELAYS = [
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  20 * MINUTE,
  40 * MINUTE,
  HOUR,
  2 * HOUR,
];

/** The first delay, which the `retry-base` setting replaces; the others keep their ratio to it. */
export const DEFAULT_RETRY_BASE_MS = DELAYS[0]!;

/**
 * Delay in ms after `attempt` (from 0) has failed, with up to a tenth added at random, so that runs that failed
 * together do not come back together.
 * @param random a number from 0 (inclusive) to 1
 */
export function retryDelay(attempt: number, baseMs: number, random: number): number {
  const delay = DELAYS[Math.min(attempt, DELAYS.length - 1)]!;
  return Math.round((delay / DEFAULT_RETRY_BASE_MS) * baseMs * (1 + random / 10));
}
