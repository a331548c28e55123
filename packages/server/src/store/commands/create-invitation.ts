import type { InvitationRecord } from "../access-records.ts";
import { firstRow, run, type Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface CreateInvitationArgs {
  author: Author;
  invitation: Pick<InvitationRecord, "id" | "token_hash" | "email" | "role" | "expires_at" | "user_id">;
}

/** Invitations that wait for somebody at most. */
const MAX_INVITATIONS = 500;

/**
 * Make a link for somebody new, or for a user who forgot the password; an older one of that user ends.
 * @returns why nothing was written: somebody has that e-mail address, the user is gone or has another role by now, or
 *   there are too many
 */
export function* createInvitation(
  args: CreateInvitationArgs,
): Sql<"created" | "email_taken" | "gone" | "changed" | "too_many"> {
  const { author, invitation } = args;
  const { id, token_hash, email, role, expires_at, user_id } = invitation;
  const waiting = yield* firstRow<{ count: number }>(
    `SELECT COUNT(*) AS count FROM invitations
     WHERE user_id IS NULL AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > $1`,
    [author.now],
  );
  if (user_id === null) {
    if (waiting!.count >= MAX_INVITATIONS) return "too_many";
    const taken = yield* firstRow("SELECT id FROM users WHERE email = $1", [email ?? ""]);
    if (taken !== undefined) return "email_taken";
  } else {
    const user = yield* firstRow<{ role: string }>("SELECT role FROM users WHERE id = $1", [user_id]);
    if (user === undefined) return "gone";
    // Somebody became an owner in the meantime: whether this is allowed was decided on other grounds.
    if (user.role !== role) return "changed";
    yield* run("DELETE FROM invitations WHERE user_id = $1 AND accepted_at IS NULL", [user_id]);
  }
  yield* run(
    `INSERT INTO invitations (id, token_hash, email, role, created_at, created_by, created_by_id, expires_at, user_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      token_hash,
      email,
      role,
      author.now,
      author.name,
      author.kind === "user" ? author.id : null,
      expires_at,
      user_id,
    ],
  );
  const expires = new Date(expires_at).toISOString();
  yield* recordChange(author, {
    action: user_id === null ? "invitation.created" : "password_reset.created",
    target:
      user_id === null ? { kind: "invitation", id, name: email } : { kind: "user", id: user_id, name: email },
    env: null,
    before: null,
    after: user_id === null ? { email, role, expires_at: expires } : { expires_at: expires },
  });
  return "created";
}

/** What a link must still be to let somebody in, with `$1` its hash and `$2` the time. */
export const LIVING_LINK =
  "token_hash = $1 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > $2";

/** Take back the links somebody made and nobody has used, in the transaction that takes away the right to make them. */
export function* revokeLinksOf(userId: string, now: number): Sql<void> {
  yield* run(
    "UPDATE invitations SET revoked_at = $2 WHERE created_by_id = $1 AND accepted_at IS NULL AND revoked_at IS NULL",
    [userId, now],
  );
}
