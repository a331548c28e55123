import { firstRow, type Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

/**
 * Delete a webhook: its address ends with the commit. Its requests go as they come over age.
 * @returns false when there is no such webhook
 */
export function* deleteWebhook({ author, id }: { author: Author; id: string }): Sql<boolean> {
  const row = yield* firstRow<{ name: string; env: string }>(
    `UPDATE webhooks SET deleted_at = $2, key_hash = NULL, key_sealed = NULL
     WHERE id = $1 AND deleted_at IS NULL RETURNING name, env`,
    [id, author.now],
  );
  if (row === undefined) return false;
  yield* recordChange(author, {
    action: "webhook.deleted",
    target: { kind: "webhook", id, name: row.name },
    env: row.env,
    before: { name: row.name },
    after: null,
  });
  return true;
}
