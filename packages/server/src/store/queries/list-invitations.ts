import type { InvitationRecord } from "../access-records.ts";
import { rows, type Sql } from "../sql.ts";

/** The invitations that can still be accepted, newest first: 500 at most, because no more are made. */
export function* listInvitations({ now }: { now: number }): Sql<InvitationRecord[]> {
  return yield* rows<InvitationRecord>(
    `SELECT * FROM invitations
     WHERE user_id IS NULL AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > $1 ORDER BY id DESC`,
    [now],
  );
}
