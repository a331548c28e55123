import type { InvitationRecord, UserRecord } from "../access-records.ts";
import { firstRow, run, type Sql } from "../sql.ts";
import { LIVING_LINK } from "./create-invitation.ts";
import { insertSession, type NewSession } from "./create-session.ts";
import { type Author, recordChange } from "./record-change.ts";
import { insertUser, type NewUser } from "./set-up-owner.ts";

export interface AcceptInvitationArgs {
  /** The new user. */
  author: Author;
  tokenHash: string;
  user: NewUser;
  session: NewSession;
}

export type AcceptedInvitation = { role: UserRecord["role"] } | "gone" | "email_taken" | "too_many";

/** People a service has at most: all are kept in memory. */
const MAX_USERS = 2_000;

/** Make somebody a user by an invitation, once, and log them in. @returns the role; why not when nothing was written */
export function* acceptInvitation(args: AcceptInvitationArgs): Sql<AcceptedInvitation> {
  const { author, tokenHash, user, session } = args;
  const invitation = yield* firstRow<InvitationRecord>(
    `SELECT * FROM invitations WHERE ${LIVING_LINK} AND user_id IS NULL`,
    [tokenHash, author.now],
  );
  // One that is for somebody else tells as little as one that is not there.
  if (invitation === undefined || (invitation.email ?? user.email) !== user.email) return "gone";
  const taken = yield* firstRow("SELECT id FROM users WHERE email = $1", [user.email]);
  if (taken !== undefined) return "email_taken";
  const users = yield* firstRow<{ count: number }>("SELECT COUNT(*) AS count FROM users", []);
  if (users!.count >= MAX_USERS) return "too_many";
  const { role } = invitation;
  yield* run("UPDATE invitations SET accepted_at = $2 WHERE id = $1", [invitation.id, author.now]);
  yield* insertUser(user, role, author.now);
  yield* insertSession(session);
  yield* recordChange(author, {
    action: "user.created",
    target: { kind: "user", id: user.id, name: user.email },
    env: null,
    before: null,
    after: {
      email: user.email,
      name: user.name,
      role,
      by: "invitation",
      invitation: invitation.id,
      invited_by: invitation.created_by,
    },
  });
  return { role };
}
