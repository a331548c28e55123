import type { InvitationRecord } from "../access-records.ts";
import { LIVING_LINK } from "../commands/create-invitation.ts";
import { firstRow, type Sql } from "../sql.ts";

/** The invitation or reset link of a token; null when it opens nothing. */
export function* findInvitation(args: { tokenHash: string; now: number }): Sql<InvitationRecord | null> {
  const { tokenHash, now } = args;
  return (
    (yield* firstRow<InvitationRecord>(`SELECT * FROM invitations WHERE ${LIVING_LINK}`, [tokenHash, now])) ??
    null
  );
}
