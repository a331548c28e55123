import { firstRow, type Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface RotateWebhookKeyArgs {
  author: Author;
  id: string;
  keyHash: string;
  keySealed: string;
}

/** Give a webhook a new address; the old one ends with the commit. @returns false when there is no such webhook */
export function* rotateWebhookKey({ author, id, keyHash, keySealed }: RotateWebhookKeyArgs): Sql<boolean> {
  const row = yield* firstRow<{ name: string; env: string }>(
    `UPDATE webhooks SET key_hash = $2, key_sealed = $3, updated_at = $4
     WHERE id = $1 AND deleted_at IS NULL RETURNING name, env`,
    [id, keyHash, keySealed, author.now],
  );
  if (row === undefined) return false;
  yield* recordChange(author, {
    action: "webhook.rotated",
    target: { kind: "webhook", id, name: row.name },
    env: row.env,
    before: null,
    after: null,
  });
  return true;
}
