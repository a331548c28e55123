import { firstRow, run, type Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface ChangePasswordArgs {
  author: Author;
  userId: string;
  /** The stored hash that the old password was checked against. */
  verified: string;
  passwordHash: string;
  /** The session that stays; all others end. */
  keepSession: string;
}

/** Change a user's password. @returns false when the user is gone or has another password by now */
export function* changePassword(args: ChangePasswordArgs): Sql<boolean> {
  const { author, userId, verified, passwordHash, keepSession } = args;
  const user = yield* firstRow<{ email: string; password_hash: string }>(
    "SELECT email, password_hash FROM users WHERE id = $1",
    [userId],
  );
  if (user?.password_hash !== verified) return false;
  yield* setPassword(userId, passwordHash, keepSession);
  yield* recordChange(author, {
    action: "user.password_changed",
    target: { kind: "user", id: userId, name: user.email },
    env: null,
    before: null,
    after: null,
  });
  return true;
}

/**
 * Give a user another password, in the transaction of a command. What the old one opened is shut, and so are links that
 * would give the account yet another one.
 */
export function* setPassword(userId: string, passwordHash: string, keepSession: string): Sql<void> {
  yield* run("UPDATE users SET password_hash = $2 WHERE id = $1", [userId, passwordHash]);
  yield* run("DELETE FROM sessions WHERE user_id = $1 AND id <> $2", [userId, keepSession]);
  yield* run("DELETE FROM invitations WHERE user_id = $1", [userId]);
}
