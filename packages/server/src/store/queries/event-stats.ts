import { firstRow, rows, type Sql } from "../sql.ts";
import { namesFor } from "./names-for.ts";

export interface EventStatsArgs {
  env: string;
  /** Exact names; a trailing `*` stands for any rest; null: all. */
  names: string[] | null;
  /** Exact names that are left out. */
  except: readonly string[] | null;
  /** From this on, ms. */
  after: number;
  /** Up to, not including, this, ms. */
  before: number;
  bucketMs: number;
}

export interface EventBucket {
  /** Number of the bucket: its start divided by `bucketMs`. */
  bucket: number;
  count: number;
  /** Events that started at least one run. */
  triggered: number;
  /** Events of which at least one run failed. */
  failed: number;
}

export interface EventStats {
  /** Empty buckets are left out. */
  buckets: EventBucket[];
  /** The moment from which on everything was counted: `after`, or later when there were too many events. */
  countedFrom: number;
  /** The moment from which on `triggered` and `failed` were counted. */
  outcomesFrom: number;
}

/** Events counted for one answer: about a quarter of a second of a reader's time. */
const MAX_COUNTED = 1_000_000;
/** Events whose runs are looked at: each costs a look into an index and, if there are any, into their rows. */
const MAX_LOOKED_INTO = 50_000;

/** Names that are counted when a `*` stands for many. */
const MAX_NAMES = 200;

/** Events received, per bucket of time. Of a very long range just the newest part is counted. */
export function* eventStats(args: EventStatsArgs): Sql<EventStats> {
  const except = args.except ?? [];
  const named = args.names === null ? null : (yield* namesFor(args.env, args.names, MAX_NAMES)).names;
  const lanes = named?.filter((name) => !except.includes(name)) ?? [null];
  const buckets = new Map<number, EventBucket>();
  let countedFrom = args.after;
  let outcomesFrom = args.after;
  for (const name of lanes) {
    const counted = yield* passedAt(args, name, Math.floor(MAX_COUNTED / lanes.length));
    const looked = yield* passedAt(args, name, Math.floor(MAX_LOOKED_INTO / lanes.length));
    countedFrom = Math.max(countedFrom, counted);
    outcomesFrom = Math.max(outcomesFrom, looked);
  }
  // All of them are counted in one go, so what is left out is counted too, and taken off.
  const takenOff = named === null ? except : [];
  for (const name of [...takenOff, ...lanes]) {
    const sign = name !== null && takenOff.includes(name) ? -1 : 1;
    const counts = yield* rows<{ bucket: number; count: number }>(
      `SELECT received_at / CAST($4 AS BIGINT) AS bucket, COUNT(*) AS count FROM events
       WHERE env = $1 AND received_at >= $2 AND received_at < $3${withName(name)} GROUP BY 1 ORDER BY 1`,
      parametersOf(args, name, countedFrom, args.bucketMs),
    );
    for (const { bucket, count } of counts) bucketOf(buckets, bucket).count += sign * count;
    const outcomes = yield* rows<{ bucket: number; triggered: number; failed: number }>(
      // `hit` needs the index of events only, so SQLite takes it; asked for the status at once, it would read all runs.
      `SELECT bucket, COUNT(failed) AS triggered, COALESCE(SUM(failed), 0) AS failed FROM (
         SELECT received_at / CAST($4 AS BIGINT) AS bucket,
           (SELECT MAX(CASE WHEN runs.status = 'failed' THEN 1 ELSE 0 END)
            FROM runs AS hit JOIN runs ON runs.env = hit.env AND runs.id = hit.id
            WHERE hit.env = events.env AND hit.event_id = events.id) AS failed
         FROM events WHERE env = $1 AND received_at >= $2 AND received_at < $3${withName(name)}) AS outcomes
       GROUP BY bucket`,
      parametersOf(args, name, Math.max(countedFrom, outcomesFrom), args.bucketMs),
    );
    for (const { bucket, triggered, failed } of outcomes) {
      const entry = bucketOf(buckets, bucket);
      entry.triggered += sign * triggered;
      entry.failed += sign * failed;
    }
  }
  const sorted = [...buckets.values()].filter(({ count }) => count > 0).sort((a, b) => a.bucket - b.bucket);
  return { buckets: sorted, countedFrom, outcomesFrom: Math.max(countedFrom, outcomesFrom) };
}

/** Where the newest `most` events of a name begin; `after` when they are fewer. */
function* passedAt(args: EventStatsArgs, name: string | null, most: number): Sql<number> {
  const passed = yield* firstRow<{ received_at: number }>(
    `SELECT received_at FROM events WHERE env = $1 AND received_at >= $2 AND received_at < $3${name === null ? "" : " AND name = $4"}
     ORDER BY received_at DESC, id DESC LIMIT 1 OFFSET ${most}`,
    [args.env, args.after, args.before, ...(name === null ? [] : [name])],
  );
  // The bucket in which the bound was hit is only partly counted: leave it out.
  return passed === undefined
    ? args.after
    : (Math.floor(passed.received_at / args.bucketMs) + 1) * args.bucketMs;
}

function withName(name: string | null): string {
  return name === null ? "" : " AND name = $5";
}

function parametersOf({ env, before }: EventStatsArgs, name: string | null, after: number, bucketMs: number) {
  return [env, after, before, bucketMs, ...(name === null ? [] : [name])];
}

function bucketOf(buckets: Map<number, EventBucket>, bucket: number): EventBucket {
  const known = buckets.get(bucket) ?? { bucket, count: 0, triggered: 0, failed: 0 };
  buckets.set(bucket, known);
  return known;
}
