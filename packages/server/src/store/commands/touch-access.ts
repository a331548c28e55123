import { run, type Sql } from "../sql.ts";

export interface TouchAccessArgs {
  now: number;
  /** Ids of what was used since the last time. */
  environments: string[];
  keys: string[];
  sessions: string[];
  users: string[];
}

/** Remember what was used lately. */
export function* touchAccess({ now, environments, keys, sessions, users }: TouchAccessArgs): Sql<void> {
  for (const id of environments)
    yield* run("UPDATE environments SET last_active_at = $2 WHERE id = $1", [id, now]);
  for (const id of keys) yield* run("UPDATE keys SET last_used_at = $2 WHERE id = $1", [id, now]);
  for (const id of sessions) yield* run("UPDATE sessions SET last_seen_at = $2 WHERE id = $1", [id, now]);
  for (const id of users) yield* run("UPDATE users SET last_seen_at = $2 WHERE id = $1", [id, now]);
}
