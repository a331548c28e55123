/** The part of a range of runs that statistics look at: its newest rows, so that an answer takes a bounded time. */
import { encodeUlid } from "@svc/protocol";
import type { SqlValue } from "../sql.ts";

/** Runs looked at for one answer, about a quarter of a second of a reader's time: rows of all functions lie side by side. */
export const MAX_RUNS_OF_ALL = 500_000;
/** Of chosen functions each run costs a look into an index, and another at its row. */
export const MAX_RUNS_OF_SOME = 100_000;

/** ULIDs begin with a digit up to 7. */
export const ABOVE_ALL_RUNS = "8";

/** The smallest id of a run that was queued at or after a moment, ms. */
export function firstRunId(time: number): string {
  return encodeUlid(Math.max(0, Math.min(time, 2 ** 48 - 1)), new Uint8Array(10));
}

export interface RunRange {
  env: string;
  /** One function; null: all. */
  functionId: string | null;
  /** From this on, ms. */
  after: number;
  /** Up to, not including, this, ms. */
  before: number;
  bucketMs: number;
}

const COLUMNS = "function_id, app_id, status, queued_at, started_at, ended_at";

/**
 * A subselect of the newest `most` runs of a range, and one more that tells whether there are others, in no order. Its
 * parameters are $1 to $6; `bucket` is the number of the run's bucket of time.
 */
export function newestRuns(
  { env, functionId, after, before, bucketMs }: RunRange,
  most: number,
): { from: string; params: SqlValue[] } {
  // The time range is asked for by id, which is what the indexes are ordered by. Of a function the ids come first, from
  // the index of functions alone: asked for whole rows, SQLite would read those of all functions.
  const rows =
    functionId === null
      ? `SELECT id, ${COLUMNS} FROM runs WHERE env = $1 AND id >= $2 AND id < $3 AND $6 = 0 ORDER BY id DESC LIMIT $5`
      : `SELECT runs.id, ${COLUMNS} FROM
           (SELECT id FROM runs WHERE env = $1 AND function_id = $6 AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT $5) AS ids
         JOIN runs ON runs.env = $1 AND runs.id = ids.id`;
  return {
    from: `(SELECT rows.*, queued_at / CAST($4 AS BIGINT) AS bucket FROM (${rows}) AS rows) AS newest`,
    params: [env, firstRunId(after), firstRunId(before), bucketMs, most + 1, functionId ?? 0],
  };
}

/**
 * The moment from which on everything was counted. The bucket in which the bound was hit is counted only partly, so it
 * is left out.
 * @param looked how many rows there were
 * @param oldest bucket of the oldest one
 */
export function countedFrom(
  { after, bucketMs }: RunRange,
  looked: number,
  oldest: number,
  most: number,
): number {
  return looked > most ? Math.max(after, (oldest + 1) * bucketMs) : after;
}
