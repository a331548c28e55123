import type { KeyRecord } from "../access-records.ts";
import { firstRow, type Sql } from "../sql.ts";
import { KEY_TARGETS } from "./create-key.ts";
import { type Author, recordChange } from "./record-change.ts";

/** End a key now. Its row stays for a while, for those who look up what it was. @returns false when there is none */
export function* revokeKey({ author, id }: { author: Author; id: string }): Sql<boolean> {
  const key = yield* firstRow<KeyRecord>(
    `UPDATE keys SET revoked_at = $2
     WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) RETURNING *`,
    [id, author.now],
  );
  if (key === undefined) return false;
  yield* recordChange(author, {
    action: `${KEY_TARGETS[key.kind]}.revoked`,
    target: { kind: KEY_TARGETS[key.kind], id, name: key.name },
    env: key.env,
    before: { name: key.name, hint: key.hint },
    after: null,
  });
  return true;
}
