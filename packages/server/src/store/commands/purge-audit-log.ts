import { encodeUlid } from "@svc/protocol";
import { rows, type Sql } from "../sql.ts";

export interface PurgeAuditLogArgs {
  /** Entries from before this are removed, ms since the epoch. */
  before: number;
  /** Entries removed in this step at most. */
  limit: number;
}

/** Remove the oldest entries of the audit log. @returns how many were removed */
export function* purgeAuditLog({ before, limit }: PurgeAuditLogArgs): Sql<number> {
  // Ids begin with the time: an index range, without looking at what stays.
  const end = encodeUlid(Math.max(0, before), new Uint8Array(10));
  const removed = yield* rows(
    `DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE id < $1 ORDER BY id LIMIT $2) RETURNING id`,
    [end, limit],
  );
  return removed.length;
}
