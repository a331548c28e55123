import { firstRow, type Sql } from "../sql.ts";
import { MAX_ENVIRONMENTS } from "./create-environment.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface ArchiveEnvironmentArgs {
  author: Author;
  id: string;
  archived: boolean;
  /** Archive it only when it was not used since, ms since the epoch. */
  unusedSince?: number;
}

/**
 * Archive an environment or take it back.
 * @returns false when there is none, or nothing to change, or there are too many living ones to take it back
 */
export function* archiveEnvironment(args: ArchiveEnvironmentArgs): Sql<boolean> {
  const { author, id, archived, unusedSince = Number.MAX_SAFE_INTEGER } = args;
  const { now } = author;
  // One that is taken back counts as used now, or it would be archived again at once.
  const row = yield* firstRow<{ name: string }>(
    archived
      ? `UPDATE environments SET archived_at = $2
         WHERE id = $1 AND archived_at IS NULL AND COALESCE(last_active_at, created_at) <= $3 RETURNING name`
      : `UPDATE environments SET archived_at = NULL, last_active_at = $2
         WHERE id = $1 AND archived_at IS NOT NULL
           AND (SELECT COUNT(*) FROM environments WHERE archived_at IS NULL) < $3 RETURNING name`,
    [id, now, archived ? unusedSince : MAX_ENVIRONMENTS],
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
