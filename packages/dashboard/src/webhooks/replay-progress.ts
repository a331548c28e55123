/** How far a replay of many requests is. */
import type { Replayed, RequestStatus } from "../api/webhook-requests.ts";

export interface ReplayProgress {
  outcomes: Partial<Record<RequestStatus, number>>;
  skipped: number;
  done: number;
  /** Where to go on; null before the first step and after the last. */
  cursor: string | null;
}

export const NOTHING_REPLAYED: ReplayProgress = { outcomes: {}, skipped: 0, done: 0, cursor: null };

/** The progress after one more step. */
export function countReplayed(before: ReplayProgress, step: Replayed): ReplayProgress {
  const outcomes = { ...before.outcomes };
  let done = before.done + step.skipped;
  for (const [status, count] of Object.entries(step.outcomes) as [RequestStatus, number][]) {
    outcomes[status] = (outcomes[status] ?? 0) + count;
    done += count;
  }
  return { outcomes, skipped: before.skipped + step.skipped, done, cursor: step.cursor };
}
