import { firstRow, rows, type Sql } from "../sql.ts";

export interface EventStatsArgs {
  env: string;
  /** From this on, ms. */
  after: number;
  /** Up to, not including, this, ms. */
  before: number;
  bucketMs: number;
}

export interface EventStats {
  /** Number of the bucket (its start divided by `bucketMs`) and events in it; empty buckets are left out. */
  buckets: { bucket: number; count: number }[];
  /** The moment from which on everything was counted: `after`, or later when there were too many events. */
  countedFrom: number;
}

/** Events counted for one answer: about a quarter of a second of a reader's time. */
const MAX_COUNTED = 1_000_000;

/** Events received, per bucket of time. Reads an index only, and of a very long range just the newest part. */
export function* eventStats(args: EventStatsArgs): Sql<EventStats> {
  const { env, before, bucketMs } = args;
  const passed = yield* firstRow<{ received_at: number }>(
    `SELECT received_at FROM events WHERE env = $1 AND received_at >= $2 AND received_at < $3
     ORDER BY received_at DESC, id DESC LIMIT 1 OFFSET ${MAX_COUNTED}`,
    [env, args.after, before],
  );
  // The bucket in which the bound was hit is only partly counted: leave it out.
  const countedFrom =
    passed === undefined ? args.after : (Math.floor(passed.received_at / bucketMs) + 1) * bucketMs;
  const buckets = yield* rows<{ bucket: number; count: number }>(
    `SELECT received_at / CAST($4 AS BIGINT) AS bucket, COUNT(*) AS count FROM events
     WHERE env = $1 AND received_at >= $2 AND received_at < $3 GROUP BY 1 ORDER BY 1`,
    [env, countedFrom, before, bucketMs],
  );
  return { buckets, countedFrom };
}
