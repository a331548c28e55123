import type { RunStatus } from "../records.ts";
import { rows, type Sql } from "../sql.ts";
import { countedFrom, MAX_RUNS_OF_ALL, MAX_RUNS_OF_SOME, newestRuns, type RunRange } from "./newest-runs.ts";

export interface RunStatsArgs extends Omit<RunRange, "functionId"> {
  /** Ids of functions, 20 at most; null: all. */
  functions: string[] | null;
  /** Runs of this app only; null: of all. */
  app: string | null;
}

export type RunCounts = Record<RunStatus, number>;

export interface RunStats {
  /** Empty buckets are left out. */
  buckets: (RunCounts & { bucket: number })[];
  /** The moment from which on everything was counted: `after`, or later when there were too many runs. */
  countedFrom: number;
}

/** Runs queued, per bucket of time and status. Of a very long range just the newest part is counted. */
export function* runStats(args: RunStatsArgs): Sql<RunStats> {
  const lanes = args.functions ?? [null];
  const most = args.functions === null ? MAX_RUNS_OF_ALL : Math.floor(MAX_RUNS_OF_SOME / lanes.length);
  const buckets = new Map<number, RunCounts>();
  let from = args.after;
  for (const functionId of lanes) {
    const range: RunRange = { ...args, functionId };
    const newest = newestRuns(range, most);
    const counts = yield* rows<{ bucket: number; status: RunStatus; looked: number; count: number }>(
      `SELECT bucket, status, COUNT(*) AS looked, SUM(CASE WHEN $7 = '' OR app_id = $7 THEN 1 ELSE 0 END) AS count
       FROM ${newest.from} GROUP BY bucket, status ORDER BY bucket, status`,
      [...newest.params, args.app ?? ""],
    );
    const looked = counts.reduce((sum, each) => sum + each.looked, 0);
    from = Math.max(from, countedFrom(range, looked, counts[0]?.bucket ?? 0, most));
    for (const { bucket, status, count } of counts) {
      if (count > 0) entryOf(buckets, bucket)[status] += count;
    }
  }
  // Where one function was counted from later on than another, the buckets before have only a part of them.
  const whole = [...buckets].filter(([bucket]) => (bucket + 1) * args.bucketMs > from);
  return {
    buckets: whole.map(([bucket, counts]) => ({ bucket, ...counts })).sort((a, b) => a.bucket - b.bucket),
    countedFrom: from,
  };
}

function entryOf(buckets: Map<number, RunCounts>, bucket: number): RunCounts {
  const known = buckets.get(bucket) ?? {
    queued: 0,
    running: 0,
    completed: 0,
    failed: 0,
    cancelled: 0,
    skipped: 0,
  };
  buckets.set(bucket, known);
  return known;
}
