/** Which events a page shows: keys in order, chosen by index where one serves. */
import { containing, inList } from "../in-list.ts";
import { type Filter, type Lane, type Scanned, scanNewestFirst } from "../newest-first.ts";
import { rows, type Sql, type SqlValue } from "../sql.ts";
import { namesFor } from "./names-for.ts";

/** Place of an event in 'newest first'. */
export interface EventKey {
  received_at: number;
  id: string;
}

/** Which events; what is null does not matter. */
export interface ChosenEvents {
  env: string;
  /** Exact names; a trailing `*` stands for any rest. At most 20. */
  names: string[] | null;
  /** Exact names that are left out. */
  except: readonly string[] | null;
  /** The event's own id, or the one its sender gave it. */
  id: string | null;
  /** Kind or name of its source. */
  source: string | null;
  /** Text in its name, ids or data, in upper or lower case. */
  text: string | null;
  /** Received at or after this, ms. */
  after: number;
  /** Received before this, ms. */
  before: number;
  cursor: EventKey | null;
  /** At most 200. */
  limit: number;
}

/** Names that a `*` may stand for and still be looked up one by one. */
const MAX_NAMES = 20;
/** Above the longest name there can be. */
const MAX_NAME_LENGTH = 1_000;

/** The keys of a page of events, newest first. */
export function* newestEvents(chosen: ChosenEvents): Sql<Scanned<EventKey>> {
  const { lanes, filter } = yield* planScan(chosen);
  return yield* scanNewestFirst<EventKey>({
    lanes,
    below: chosen.cursor ?? { received_at: chosen.before, id: "" },
    limit: chosen.limit,
    compare: newestFirst,
    filter,
  });
}

function newestFirst(a: EventKey, b: EventKey): number {
  if (a.received_at !== b.received_at) return b.received_at - a.received_at;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** Choose the index ranges to read, and what is left for a filter to decide. */
function* planScan(args: ChosenEvents): Sql<{ lanes: Lane<EventKey>[]; filter: Filter<EventKey> | null }> {
  const { env, names, except, id, source, text } = args;
  // The cursor may be above `before` when a client changes the filter in the midst of paging.
  const bounds = "received_at < $3 AND received_at >= $4 AND (received_at, id) < ($5, $6)";
  const lane =
    (condition: string, value: SqlValue): Lane<EventKey> =>
    (below, limit) =>
      rows<EventKey>(
        `SELECT received_at, id FROM events WHERE env = $1 AND ${condition} AND ${bounds}
         ORDER BY received_at DESC, id DESC LIMIT $7`,
        [env, value, args.before, args.after, below.received_at, below.id, limit],
      );
  const conditions: [sql: (first: number) => string, values: SqlValue[]][] = [];
  let lanes: Lane<EventKey>[];
  const found = names === null ? null : yield* namesFor(env, names, MAX_NAMES);
  const distinctNames = found?.complete ? found.names : null;
  if (id !== null) {
    lanes = [lane("id = $2", id), lane("idempotency_id = $2", id)];
  } else if (distinctNames !== null) {
    lanes = distinctNames.map((name) => lane("name = $2", name));
  } else {
    // Always true, and keeps the numbers of the parameters the same.
    lanes = [lane("$2 = 0", 0)];
  }
  if (names !== null && (id !== null || distinctNames === null)) {
    conditions.push([
      // Not LIKE: SQLite's does not tell upper from lower case.
      (first) => {
        const tests = names.map((_, i) => `SUBSTR(name, 1, $${first + 2 * i}) = $${first + 2 * i + 1}`);
        return `(${tests.join(" OR ")})`;
      },
      names.flatMap(compared),
    ]);
  }
  if (except !== null) {
    conditions.push([(first) => `name NOT IN (${except.map((_, i) => `$${first + i}`)})`, [...except]]);
  }
  if (source !== null) {
    conditions.push([
      (first) => `(source_kind = $${first} OR source_name = $${first + 1})`,
      [source, source],
    ]);
  }
  if (text !== null) {
    const pattern = containing(text.toLowerCase());
    const columns = ["name", "id", "COALESCE(idempotency_id, '')", "data"];
    conditions.push([
      (first) =>
        `(${columns.map((column, i) => `LOWER(${column}) LIKE $${first + i} ESCAPE '\\'`).join(" OR ")})`,
      columns.map(() => pattern),
    ]);
  }
  return { lanes, filter: conditions.length === 0 ? null : eventFilter(env, conditions) };
}

/** How many characters of a name are compared, and with what. */
function compared(pattern: string): [length: number, text: string] {
  if (!pattern.endsWith("*")) return [MAX_NAME_LENGTH, pattern];
  const prefix = pattern.slice(0, -1);
  return [[...prefix].length, prefix];
}

function eventFilter(
  env: string,
  conditions: [sql: (first: number) => string, values: SqlValue[]][],
): Filter<EventKey> {
  return function* (keys) {
    const params: SqlValue[] = [env];
    const tests = conditions.map(([sql, values]) => {
      const test = sql(params.length + 1);
      params.push(...values);
      return test;
    });
    const { list, values } = inList(
      keys.map((key) => key.id),
      params.length + 1,
    );
    const looked = yield* rows<{ id: string; bytes: number; hit: number }>(
      `SELECT id, octet_length(data) AS bytes, CASE WHEN ${tests.join(" AND ")} THEN 1 ELSE 0 END AS hit
       FROM events WHERE env = $1 AND id IN (${list})`,
      [...params, ...values],
    );
    const hits = new Set(looked.filter((row) => row.hit === 1).map((row) => row.id));
    return {
      matches: keys.filter((key) => hits.has(key.id)),
      bytes: looked.reduce((sum, row) => sum + row.bytes, 0),
    };
  };
}
