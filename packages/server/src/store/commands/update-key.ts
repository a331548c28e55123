import type { KeyRecord } from "../access-records.ts";
import { firstRow, run, type Sql } from "../sql.ts";
import { KEY_TARGETS, shownFields } from "./create-key.ts";
import { type Author, differences, recordChange } from "./record-change.ts";

export interface UpdateKeyArgs {
  author: Author;
  id: string;
  /** What is to be another value; the rest stays. */
  change: Partial<Pick<KeyRecord, "name" | "event_filter" | "ip_filter" | "rate_limit" | "signs_from">>;
}

/** Change what may be changed of a living key. @returns false when there is none */
export function* updateKey({ author, id, change }: UpdateKeyArgs): Sql<boolean> {
  const before = yield* firstRow<KeyRecord>(
    "SELECT * FROM keys WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
    [id, author.now],
  );
  if (before === undefined) return false;
  const after = { ...before, ...change };
  yield* run(
    "UPDATE keys SET name = $2, event_filter = $3, ip_filter = $4, rate_limit = $5, signs_from = $6 WHERE id = $1",
    [id, after.name, after.event_filter, after.ip_filter, after.rate_limit, after.signs_from],
  );
  const [was, is] = differences({ ...before }, change);
  if (Object.keys(is).length === 0) return true;
  yield* recordChange(author, {
    action: `${KEY_TARGETS[before.kind]}.${change.signs_from === undefined ? "updated" : "activated"}`,
    target: { kind: KEY_TARGETS[before.kind], id, name: after.name },
    env: before.env,
    before: { ...was, ...shownFields(was) },
    after: { ...is, ...shownFields(is) },
  });
  return true;
}
