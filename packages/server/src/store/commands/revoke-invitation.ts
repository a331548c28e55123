import type { InvitationRecord } from "../access-records.ts";
import { firstRow, run, type Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface RevokeInvitationArgs {
  author: Author;
  id: string;
}

/** Take back an invitation. @returns false when there is none that could still be accepted */
export function* revokeInvitation({ author, id }: RevokeInvitationArgs): Sql<boolean> {
  const invitation = yield* firstRow<InvitationRecord>(
    `SELECT * FROM invitations
     WHERE id = $1 AND user_id IS NULL AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > $2`,
    [id, author.now],
  );
  if (invitation === undefined) return false;
  yield* run("UPDATE invitations SET revoked_at = $2 WHERE id = $1", [id, author.now]);
  yield* recordChange(author, {
    action: "invitation.revoked",
    target: { kind: "invitation", id, name: invitation.email },
    env: null,
    before: { email: invitation.email, role: invitation.role },
    after: null,
  });
  return true;
}
