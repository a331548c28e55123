import { inList } from "../in-list.ts";
import { type Filter, fitting, type Lane, scanNewestFirst } from "../newest-first.ts";
import type { ListedRun, RunRecord, RunStatus } from "../records.ts";
import { rows, type Sql, type SqlValue } from "../sql.ts";
import { ABOVE_ALL_RUNS, firstRunId } from "./newest-runs.ts";

/** Which runs; what is null does not matter. Lists have 20 entries at most. */
export interface ListRunsArgs {
  env: string;
  functions: string[] | null;
  app: string | null;
  statuses: RunStatus[] | null;
  event: string | null;
  /** Queued at or after this, ms. */
  after: number | null;
  /** Queued before this, ms. */
  before: number | null;
  /** Id of the last run of the page before. */
  cursor: string | null;
  /** At most 200. */
  limit: number;
  /** Bytes of outputs and errors that a page may hold. */
  maxBytes: number;
}

export interface RunPage {
  runs: ListedRun[];
  next: string | null;
}

/** A page of runs, newest first. Run ids carry the time they were queued at, so their order is the order of time. */
export function* listRuns(args: ListRunsArgs): Sql<RunPage> {
  const { lanes, filter } = planScan(args);
  const { keys, next } = yield* scanNewestFirst<string>({
    lanes,
    below: args.cursor ?? ABOVE_ALL_RUNS,
    limit: args.limit,
    compare: (a, b) => (a < b ? 1 : a > b ? -1 : 0),
    filter,
  });
  return yield* loadPage(args.env, keys, next, args.maxBytes);
}

/** Choose the index ranges to read, and what is left for a filter to decide. */
function planScan(args: ListRunsArgs): { lanes: Lane<string>[]; filter: Filter<string> | null } {
  const { env, functions, app, statuses, event } = args;
  const from = args.after === null ? "" : firstRunId(args.after);
  const to = args.before === null ? ABOVE_ALL_RUNS : firstRunId(args.before);
  const lane = (condition: string, value: SqlValue): Lane<string> =>
    function* (below, limit) {
      const found = yield* rows<{ id: string }>(
        `SELECT id FROM runs WHERE env = $1 AND ${condition} AND id < $3 AND id >= $4 ORDER BY id DESC LIMIT $5`,
        [env, value, [below, to].sort()[0]!, from, limit],
      );
      return found.map((run) => run.id);
    };
  // What is looked for by an index is not looked for again.
  const rest = { functions, app, statuses };
  let lanes: Lane<string>[];
  if (event !== null) {
    lanes = [lane("event_id = $2", event)];
  } else if (statuses !== null && !statuses.includes("completed")) {
    // The condition of the index itself, word for word, so that both engines see that it applies.
    lanes = statuses.map((status) => lane("status = $2 AND status <> 'completed'", status));
    rest.statuses = null;
  } else if (functions !== null) {
    lanes = functions.map((id) => lane("function_id = $2", id));
    rest.functions = null;
  } else {
    lanes = [lane("$2 = 0", 0)];
  }
  const unfiltered = rest.functions === null && rest.app === null && rest.statuses === null;
  return { lanes, filter: unfiltered ? null : runFilter(env, rest) };
}

function runFilter(env: string, rest: Pick<ListRunsArgs, "functions" | "app" | "statuses">): Filter<string> {
  return function* (keys) {
    const { list, values } = inList(keys, 2);
    const found = yield* rows<Pick<RunRecord, "id" | "function_id" | "app_id" | "status">>(
      `SELECT id, function_id, app_id, status FROM runs WHERE env = $1 AND id IN (${list})`,
      [env, ...values],
    );
    const hits = new Set<string>();
    for (const run of found) {
      const wanted =
        (rest.functions === null || rest.functions.includes(run.function_id)) &&
        (rest.app === null || rest.app === run.app_id) &&
        (rest.statuses === null || rest.statuses.includes(run.status));
      if (wanted) hits.add(run.id);
    }
    return { matches: keys.filter((key) => hits.has(key)), bytes: 0 };
  };
}

function* loadPage(env: string, keys: string[], next: string | null, maxBytes: number): Sql<RunPage> {
  if (keys.length === 0) return { runs: [], next };
  const { list, values } = inList(keys, 2);
  const sizes = yield* rows<{ id: string; bytes: number }>(
    `SELECT id, COALESCE(octet_length(output), 0) + COALESCE(octet_length(error), 0) AS bytes
     FROM runs WHERE env = $1 AND id IN (${list}) ORDER BY id DESC`,
    [env, ...values],
  );
  const page = fitting(sizes, maxBytes);
  const shown = inList(
    page.map((run) => run.id),
    2,
  );
  const runs = yield* rows<ListedRun>(
    `SELECT runs.*, events.name AS event_name FROM runs
     LEFT JOIN events ON events.env = runs.env AND events.id = runs.event_id
     WHERE runs.env = $1 AND runs.id IN (${shown.list}) ORDER BY runs.id DESC`,
    [env, ...shown.values],
  );
  return { runs, next: page.length < sizes.length ? page.at(-1)!.id : next };
}
