import type { RunRecord } from "../records.ts";
import { firstRow, rows, type Sql } from "../sql.ts";
import { countedFrom, firstRunId, MAX_RUNS_OF_SOME, newestRuns, type RunRange } from "./newest-runs.ts";

export interface FunctionStatsArgs extends RunRange {
  functionId: string;
}

/** What became of the runs that were queued in a time. */
export interface RunOutcomes {
  count: number;
  completed: number;
  failed: number;
  cancelled: number;
  /** Time from start to end of those that completed or failed, ms: half took no longer; null when there are none. */
  p50: number | null;
  /** 95 of 100 took no longer. */
  p95: number | null;
}

export interface FunctionStatsBucket extends RunOutcomes {
  /** Number of the bucket: its start divided by `bucketMs`. */
  bucket: number;
  /** Runs that waited for their first call when the bucket ended. */
  backlog: number;
}

export interface FunctionStats {
  /** From `countedFrom` to `before`, without gaps. */
  buckets: FunctionStatsBucket[];
  total: RunOutcomes;
  /** The moment from which on everything was counted: `after`, or later when there were too many runs. */
  countedFrom: number;
}

type Facts = Pick<RunRecord, "status" | "queued_at" | "started_at" | "ended_at"> & { bucket: number };

/** Waiting runs from before the range that are looked at; more than that is a backlog in any case. */
const MAX_OLDER = 10_000;

/** How much a function had to do, how long that took, and how it ended. Of a very long range just the newest part. */
export function* functionStats(args: FunctionStatsArgs): Sql<FunctionStats> {
  const newest = newestRuns(args, MAX_RUNS_OF_SOME);
  const runs = yield* rows<Facts>(
    `SELECT bucket, status, queued_at, started_at, ended_at FROM ${newest.from}`,
    newest.params,
  );
  const oldest = runs.reduce((least, { bucket }) => Math.min(least, bucket), Number.POSITIVE_INFINITY);
  const from = countedFrom(args, runs.length, oldest, MAX_RUNS_OF_SOME);
  const counted = from === args.after ? runs : runs.filter((each) => each.queued_at >= from);
  const older = yield* firstRow<{ waiting: number }>(
    // The condition of the index itself, word for word, so that both engines see that it applies.
    `SELECT COUNT(*) AS waiting FROM
       (SELECT id FROM runs WHERE env = $1 AND status = 'queued' AND status <> 'completed' AND id < $2
        ORDER BY id DESC LIMIT ${MAX_OLDER}) AS older
     JOIN runs ON runs.env = $1 AND runs.id = older.id
     WHERE runs.function_id = $3`,
    [args.env, firstRunId(from), args.functionId],
  );
  const byBucket = Map.groupBy(counted, ({ bucket }) => bucket);
  const changes = backlogChanges(counted, args);
  const buckets: FunctionStatsBucket[] = [];
  let backlog = older!.waiting;
  for (let bucket = Math.floor(from / args.bucketMs); bucket * args.bucketMs < args.before; bucket++) {
    backlog += changes.get(bucket) ?? 0;
    buckets.push({ bucket, ...outcomesOf(byBucket.get(bucket) ?? []), backlog });
  }
  return { buckets, total: outcomesOf(counted), countedFrom: from };
}

/** By how much the number of waiting runs grew in each bucket. */
function backlogChanges(runs: readonly Facts[], { bucketMs }: RunRange): Map<number, number> {
  const changes = new Map<number, number>();
  const add = (bucket: number, by: number) => changes.set(bucket, (changes.get(bucket) ?? 0) + by);
  for (const { bucket, started_at, ended_at } of runs) {
    add(bucket, 1);
    // What was cancelled before it started waited until then.
    const until = started_at ?? ended_at;
    if (until !== null) add(Math.max(bucket, Math.floor(until / bucketMs)), -1);
  }
  return changes;
}

function outcomesOf(runs: readonly Facts[]): RunOutcomes {
  const outcomes: RunOutcomes = {
    count: runs.length,
    completed: 0,
    failed: 0,
    cancelled: 0,
    p50: null,
    p95: null,
  };
  const took: number[] = [];
  for (const { status, started_at, ended_at } of runs) {
    if (status === "cancelled") outcomes.cancelled++;
    if (status !== "completed" && status !== "failed") continue;
    outcomes[status]++;
    if (started_at !== null && ended_at !== null) took.push(Math.max(0, ended_at - started_at));
  }
  if (took.length === 0) return outcomes;
  const sorted = Float64Array.from(took).sort();
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!;
  return { ...outcomes, p50: at(0.5), p95: at(0.95) };
}
