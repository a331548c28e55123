import type { SessionRecord } from "../access-records.ts";
import { firstRow, rows, run, type Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

export type NewSession = Omit<SessionRecord, "last_seen_at">;

export interface CreateSessionArgs {
  author: Author;
  session: NewSession;
  /** The stored hash that the password was checked against. */
  verified: string;
  /** The password's hash at today's cost, when the stored one is outdated. */
  rehashed: string | null;
}

/** Sessions a user has at most: a new one ends those not used for longest. */
const MAX_SESSIONS = 20;

/**
 * Log a user in.
 * @returns the ids of the sessions that had to end for it; null when the user is gone or has another password by now
 */
export function* createSession({
  author,
  session,
  verified,
  rehashed,
}: CreateSessionArgs): Sql<string[] | null> {
  const user = yield* firstRow<{ email: string; password_hash: string }>(
    "SELECT email, password_hash FROM users WHERE id = $1",
    [session.user_id],
  );
  if (user?.password_hash !== verified) return null;
  if (rehashed !== null) {
    yield* run("UPDATE users SET password_hash = $2 WHERE id = $1", [session.user_id, rehashed]);
  }
  const ended = yield* insertSession(session);
  yield* recordChange(author, {
    action: "session.created",
    target: { kind: "user", id: session.user_id, name: user.email },
    env: null,
    before: null,
    after: { session: session.id, user_agent: session.user_agent },
  });
  return ended;
}

/** Add a session, in the transaction of a command. @returns the ids of those that had to end for it */
export function* insertSession(session: NewSession): Sql<string[]> {
  const ended = yield* rows<{ id: string }>(
    `DELETE FROM sessions WHERE id IN (
       SELECT id FROM sessions WHERE user_id = $1 ORDER BY last_seen_at DESC, id DESC LIMIT -1 OFFSET $2)
     RETURNING id`,
    [session.user_id, MAX_SESSIONS - 1],
  );
  yield* run(
    `INSERT INTO sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, address, user_agent)
     VALUES ($1, $2, $3, $4, $4, $5, $6, $7)`,
    [
      session.id,
      session.user_id,
      session.token_hash,
      session.created_at,
      session.expires_at,
      session.address,
      session.user_agent,
    ],
  );
  yield* run("UPDATE users SET last_seen_at = $2 WHERE id = $1", [session.user_id, session.created_at]);
  return ended.map(({ id }) => id);
}
