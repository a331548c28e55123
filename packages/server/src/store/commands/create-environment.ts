import type { EnvironmentRecord } from "../access-records.ts";
import { firstRow, run, type Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface CreateEnvironmentArgs {
  author: Author;
  id: string;
  name: string;
  type: "branch" | "named";
}

/** Living environments beside production: enough for every branch of a large team, and few enough to keep in memory. */
export const MAX_ENVIRONMENTS = 2_000;
/** With the archived ones, which stay for what they hold and are kept in memory, too. */
const MAX_WITH_ARCHIVED = 20_000;

/** Create an environment. @returns it; `exists` or `too_many` when nothing was written */
export function* createEnvironment(
  args: CreateEnvironmentArgs,
): Sql<EnvironmentRecord | "exists" | "too_many"> {
  const { author, id, name, type } = args;
  const existing = yield* firstRow("SELECT id FROM environments WHERE name = $1", [name]);
  if (existing !== undefined) return "exists";
  if (yield* hasNoRoom()) return "too_many";
  const all = yield* firstRow<{ count: number }>("SELECT COUNT(*) AS count FROM environments", []);
  if (all!.count >= MAX_WITH_ARCHIVED) return "too_many";
  const { now } = author;
  const created: EnvironmentRecord = {
    id,
    name,
    type,
    created_at: now,
    created_by: author.name,
    archived_at: null,
    last_active_at: now,
    auto_archive: type === "branch" ? 1 : 0,
    max_request_bytes: null,
  };
  yield* run(
    `INSERT INTO environments (id, name, type, created_at, created_by, last_active_at, auto_archive)
     VALUES ($1, $2, $3, $4, $5, $4, $6)`,
    [id, name, type, now, author.name, created.auto_archive],
  );
  yield* recordChange(author, {
    action: "environment.created",
    target: { kind: "environment", id, name },
    env: id,
    before: null,
    after: { name, type },
  });
  return created;
}

/** Whether there are as many living environments as there may be. */
export function* hasNoRoom(): Sql<boolean> {
  const living = yield* firstRow<{ count: number }>(
    "SELECT COUNT(*) AS count FROM environments WHERE archived_at IS NULL",
    [],
  );
  return living!.count >= MAX_ENVIRONMENTS;
}
