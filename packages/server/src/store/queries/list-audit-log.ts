import { encodeUlid } from "@svc/protocol";
import type { AuditRecord } from "../access-records.ts";
import { inList } from "../in-list.ts";
import { type Filter, fitting, type Lane, scanNewestFirst } from "../newest-first.ts";
import { rows, type Sql, type SqlValue } from "../sql.ts";

/** Which entries; what is null does not matter. */
export interface ListAuditLogArgs {
  /** Id or name of who did it. */
  actor: string | null;
  /** e.g. `user.updated`; `user.*` for all of a kind. */
  action: string | null;
  /** Id of what it was done to. */
  target: string | null;
  /** At or after this, ms. */
  after: number | null;
  /** Before this, ms. */
  before: number | null;
  /** Id of the last entry of the page before. */
  cursor: string | null;
  limit: number;
  /** Bytes of entries that a page may hold. */
  maxBytes: number;
}

export interface AuditPage {
  entries: AuditRecord[];
  next: string | null;
}

/** ULIDs begin with a digit up to 7. */
const ABOVE_ALL = "8";

/** A page of the audit log, newest first. */
export function* listAuditLog(args: ListAuditLogArgs): Sql<AuditPage> {
  const { keys, next } = yield* scanNewestFirst<string>({
    lanes: lanesOf(args),
    below: args.cursor ?? ABOVE_ALL,
    limit: args.limit,
    compare: (a, b) => (a < b ? 1 : a > b ? -1 : 0),
    filter: filterOf(args),
  });
  return yield* loadPage(keys, next, args.maxBytes);
}

/** The index that leaves least to the filter: what was changed, who changed it, or what was done. */
function lanesOf({ actor, action, target, after, before }: ListAuditLogArgs): Lane<string>[] {
  const from = after === null ? "" : startOf(after);
  const to = before === null ? ABOVE_ALL : startOf(before);
  const lane = (condition: string, value: SqlValue): Lane<string> =>
    function* (below, limit) {
      const found = yield* rows<{ id: string }>(
        `SELECT id FROM audit_log WHERE ${condition} AND id < $2 AND id >= $3 ORDER BY id DESC LIMIT $4`,
        [value, [below, to].sort()[0]!, from, limit],
      );
      return found.map(({ id }) => id);
    };
  if (target !== null) return [lane("target_id = $1", target)];
  if (actor !== null) return [lane("actor_id = $1", actor), lane("actor_name = $1", actor)];
  if (action !== null && !action.endsWith("*")) return [lane("action = $1", action)];
  return [lane("$1 = 0", 0)];
}

/** The smallest id of a moment. */
function startOf(time: number): string {
  return encodeUlid(Math.max(0, Math.min(time, 2 ** 48 - 1)), new Uint8Array(10));
}

function filterOf({ actor, action, target }: ListAuditLogArgs): Filter<string> | null {
  if (action === null && (target === null || actor === null)) return null;
  const prefix = action?.endsWith("*") ? action.slice(0, -1) : null;
  return function* (keys) {
    const { list, values } = inList(keys, 1);
    const found = yield* rows<AuditRecord>(
      `SELECT id, actor_id, actor_name, action FROM audit_log WHERE id IN (${list})`,
      values,
    );
    const hits = new Set<string>();
    for (const entry of found) {
      const isActor = actor === null || entry.actor_id === actor || entry.actor_name === actor;
      const isAction =
        action === null || (prefix === null ? entry.action === action : entry.action.startsWith(prefix));
      if (isActor && isAction) hits.add(entry.id);
    }
    return { matches: keys.filter((key) => hits.has(key)), bytes: 0 };
  };
}

function* loadPage(keys: string[], next: string | null, maxBytes: number): Sql<AuditPage> {
  if (keys.length === 0) return { entries: [], next };
  const { list, values } = inList(keys, 1);
  const found = yield* rows<AuditRecord & { bytes: number }>(
    `SELECT *, COALESCE(octet_length(before), 0) + COALESCE(octet_length(after), 0) AS bytes
     FROM audit_log WHERE id IN (${list}) ORDER BY id DESC`,
    values,
  );
  const page = fitting(found, maxBytes);
  return { entries: page, next: page.length < found.length ? page.at(-1)!.id : next };
}
