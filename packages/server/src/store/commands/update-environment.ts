import type { EnvironmentRecord } from "../access-records.ts";
import { firstRow, run, type Sql } from "../sql.ts";
import { type Author, differences, recordChange } from "./record-change.ts";

export interface UpdateEnvironmentArgs {
  author: Author;
  id: string;
  /** What is to be another value; the rest stays. */
  change: Partial<Pick<EnvironmentRecord, "auto_archive" | "max_request_bytes">>;
}

/** Change the settings of an environment. @returns false when there is none */
export function* updateEnvironment({ author, id, change }: UpdateEnvironmentArgs): Sql<boolean> {
  const before = yield* firstRow<EnvironmentRecord>("SELECT * FROM environments WHERE id = $1", [id]);
  if (before === undefined) return false;
  const after = { ...before, ...change };
  yield* run("UPDATE environments SET auto_archive = $2, max_request_bytes = $3 WHERE id = $1", [
    id,
    after.auto_archive,
    after.max_request_bytes,
  ]);
  const [was, is] = differences({ ...before }, change);
  if (Object.keys(is).length === 0) return true;
  yield* recordChange(author, {
    action: "environment.updated",
    target: { kind: "environment", id, name: before.name },
    env: id,
    before: was,
    after: is,
  });
  return true;
}
