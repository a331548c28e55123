import { firstRow, type Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface ArchiveEnvironmentArgs {
  author: Author;
  id: string;
  archived: boolean;
}

/** Archive an environment or take it back. @returns false when there is none, or nothing to change */
export function* archiveEnvironment({ author, id, archived }: ArchiveEnvironmentArgs): Sql<boolean> {
  const { now } = author;
  // One that is taken back counts as used now, or it would be archived again at once.
  const row = yield* firstRow<{ name: string }>(
    archived
      ? "UPDATE environments SET archived_at = $2 WHERE id = $1 AND archived_at IS NULL RETURNING name"
      : "UPDATE environments SET archived_at = NULL, last_active_at = $2 WHERE id = $1 AND archived_at IS NOT NULL RETURNING name",
    [id, now],
  );
  if (row === undefined) return false;
  yield* recordChange(author, {
    action: archived ? "environment.archived" : "environment.unarchived",
    target: { kind: "environment", id, name: row.name },
    env: id,
    before: { archived: !archived },
    after: { archived },
  });
  return true;
}
