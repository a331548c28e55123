import { firstRow, rows, run, type Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface EndSessionsArgs {
  author: Author;
  userId: string;
  /** The one to end; null: all of the user. */
  sessionId: string | null;
}

/** End sessions of a user. @returns how many there were to end */
export function* endSessions({ author, userId, sessionId }: EndSessionsArgs): Sql<number> {
  const found = yield* rows<{ id: string }>(
    "SELECT id FROM sessions WHERE user_id = $1 AND ($2 = '' OR id = $2)",
    [userId, sessionId ?? ""],
  );
  if (found.length === 0) return 0;
  yield* run("DELETE FROM sessions WHERE user_id = $1 AND ($2 = '' OR id = $2)", [userId, sessionId ?? ""]);
  const user = yield* firstRow<{ email: string }>("SELECT email FROM users WHERE id = $1", [userId]);
  yield* recordChange(author, {
    action: "session.ended",
    target: { kind: "user", id: userId, name: user?.email ?? null },
    env: null,
    before: { sessions: found.map(({ id }) => id) },
    after: null,
  });
  return found.length;
}
