import { run, type Sql } from "../sql.ts";

export interface ExpireAccessArgs {
  now: number;
  /** Sessions last used before this have ended, ms since the epoch. */
  idleSince: number;
  /** Links that ended before this are forgotten, ms since the epoch. */
  linksBefore: number;
}

/** Remove what lets nobody in any more: sessions that ended, and links a while after their end. */
export function* expireAccess({ now, idleSince, linksBefore }: ExpireAccessArgs): Sql<void> {
  yield* run("DELETE FROM sessions WHERE expires_at <= $1 OR last_seen_at <= $2", [now, idleSince]);
  yield* run("DELETE FROM invitations WHERE expires_at <= $1", [linksBefore]);
}
