import { firstRow, type Sql } from "../sql.ts";
import { setPassword } from "./change-password.ts";
import { LIVING_LINK } from "./create-invitation.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface ResetPasswordArgs {
  /** The user. */
  author: Author;
  tokenHash: string;
  userId: string;
  passwordHash: string;
}

/** Give a user a new password by a link, once; all sessions end. @returns false when the link opens nothing */
export function* resetPassword(args: ResetPasswordArgs): Sql<boolean> {
  const { author, tokenHash, userId, passwordHash } = args;
  const user = yield* firstRow<{ email: string }>(
    `SELECT users.email FROM invitations JOIN users ON users.id = invitations.user_id
     WHERE ${LIVING_LINK} AND users.id = $3`,
    [tokenHash, author.now, userId],
  );
  if (user === undefined) return false;
  yield* setPassword(userId, passwordHash, "");
  yield* recordChange(author, {
    action: "user.password_changed",
    target: { kind: "user", id: userId, name: user.email },
    env: null,
    before: null,
    after: { by: "reset link" },
  });
  return true;
}
