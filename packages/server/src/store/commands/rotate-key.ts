import type { KeyRecord } from "../access-records.ts";
import { firstRow, run, type Sql } from "../sql.ts";
import { insertKey, isFull, KEY_TARGETS, type NewKeyRecord } from "./create-key.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface RotateKeyArgs {
  author: Author;
  /** Id of the key that is replaced. */
  id: string;
  /** When the old key is over, ms since the epoch. One that was to end before that still does. */
  expiresAt: number;
  key: NewKeyRecord;
}

/** Put a new key in the place of one, which stays valid for a while. @returns `gone` or `too_many` when nothing was written */
export function* rotateKey(args: RotateKeyArgs): Sql<"rotated" | "gone" | "too_many"> {
  const { author, id, expiresAt, key } = args;
  const old = yield* firstRow<KeyRecord>(
    "SELECT * FROM keys WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
    [id, author.now],
  );
  if (old === undefined) return "gone";
  if (yield* isFull(author.now)) return "too_many";
  yield* insertKey(author, key);
  const ends = Math.min(old.expires_at ?? expiresAt, expiresAt);
  yield* run("UPDATE keys SET expires_at = $2 WHERE id = $1", [id, ends]);
  yield* recordChange(author, {
    action: `${KEY_TARGETS[old.kind]}.rotated`,
    target: { kind: KEY_TARGETS[old.kind], id, name: old.name },
    env: old.env,
    before: { hint: old.hint, expires_at: old.expires_at },
    after: { hint: key.hint, id: key.id, expires_at: ends },
  });
  return "rotated";
}
