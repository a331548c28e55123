import { rows, type Sql } from "../sql.ts";
import { countedFrom, MAX_RUNS_OF_ALL, newestRuns, type RunRange } from "./newest-runs.ts";

export interface FunctionBucket {
  function_id: string;
  /** Number of the bucket: its start divided by `bucketMs`. */
  bucket: number;
  count: number;
  failed: number;
}

export interface FunctionActivity {
  /** Where there were any. */
  buckets: FunctionBucket[];
  /** The moment from which on everything was counted: `after`, or later when there were too many runs. */
  countedFrom: number;
}

/** Runs queued and failed, per function and bucket of time, of a whole environment. */
export function* functionActivity(args: Omit<RunRange, "functionId">): Sql<FunctionActivity> {
  const range: RunRange = { ...args, functionId: null };
  const newest = newestRuns(range, MAX_RUNS_OF_ALL);
  const counts = yield* rows<FunctionBucket>(
    `SELECT function_id, bucket, COUNT(*) AS count, SUM(CASE WHEN status = 'failed' THEN 1 ELSE 0 END) AS failed
     FROM ${newest.from} GROUP BY bucket, function_id ORDER BY bucket, function_id`,
    newest.params,
  );
  const looked = counts.reduce((sum, { count }) => sum + count, 0);
  const from = countedFrom(range, looked, counts[0]?.bucket ?? 0, MAX_RUNS_OF_ALL);
  return { buckets: counts.filter(({ bucket }) => (bucket + 1) * args.bucketMs > from), countedFrom: from };
}
