import { run, type Sql, type SqlValue } from "../sql.ts";

/** Who makes a change, for the audit log: every command that changes what people set up takes one. */
export interface Author {
  /** Id of the entry in the audit log. */
  auditId: string;
  now: number;
  /** `user`, `token`, `app`, `development` or `service` */
  kind: string;
  id: string | null;
  name: string;
  address: string | null;
}

export interface Change {
  /** `<kind>.<verb in the past>`, e.g. `webhook.updated` */
  action: string;
  target: { kind: string; id: string; name: string | null };
  env: string | null;
  /** As the API shows it, without secrets; only what differs. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Write a change to the audit log, in the transaction that makes it. */
export function* recordChange(author: Author, change: Change): Sql<void> {
  const { target } = change;
  const json = (value: Record<string, unknown> | null): SqlValue =>
    value === null ? null : JSON.stringify(value);
  yield* run(INSERT, [
    author.auditId,
    author.now,
    author.kind,
    author.id,
    author.name,
    author.address,
    change.action,
    target.kind,
    target.id,
    target.name,
    change.env,
    json(change.before),
    json(change.after),
  ]);
}

/**
 * What an update changes: the fields whose values differ, before and after.
 * @example differences({ name: "a", paused: false }, { name: "b", paused: false }) // [{ name: "a" }, { name: "b" }]
 */
export function differences(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): [before: Record<string, unknown>, after: Record<string, unknown>] {
  const changed = Object.keys(after).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const pick = (from: Record<string, unknown>) =>
    Object.fromEntries(changed.map((field) => [field, from[field]]));
  return [pick(before), pick(after)];
}

const INSERT = `INSERT INTO audit_log (id, at, actor_kind, actor_id, actor_name, address, action, target_kind,
  target_id, target_name, env, before, after)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;
