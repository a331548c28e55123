import { rows, type Sql } from "../sql.ts";

/** Remove the keys that ended before a moment, ms since the epoch. @returns how many */
export function* removeDeadKeys({ before }: { before: number }): Sql<number> {
  const removed = yield* rows("DELETE FROM keys WHERE revoked_at < $1 OR expires_at < $1 RETURNING id", [
    before,
  ]);
  return removed.length;
}
