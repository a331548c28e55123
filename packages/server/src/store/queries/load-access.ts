import type { EnvironmentRecord, KeyRecord, SessionRecord, UserRecord } from "../access-records.ts";
import { rows, type Sql } from "../sql.ts";

export interface StoredAccess {
  environments: EnvironmentRecord[];
  /** Those that still open something. */
  keys: KeyRecord[];
  users: UserRecord[];
  sessions: SessionRecord[];
}

/** Everything that decides who may do what, to be kept in memory. */
export function* loadAccess({ now }: { now: number }): Sql<StoredAccess> {
  return {
    environments: yield* rows<EnvironmentRecord>("SELECT * FROM environments", []),
    keys: yield* rows<KeyRecord>(
      "SELECT * FROM keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1) ORDER BY created_at, id",
      [now],
    ),
    users: yield* rows<UserRecord>("SELECT * FROM users", []),
    sessions: yield* rows<SessionRecord>("SELECT * FROM sessions WHERE expires_at > $1", [now]),
  };
}
