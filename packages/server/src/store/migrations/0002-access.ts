/** Environments, keys, people and the record of what they changed. Small tables that are read into memory whole. */
export const name = "access";

export function up(): string[] {
  return [
    `CREATE TABLE environments (
       id TEXT PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, created_at BIGINT NOT NULL,
       created_by TEXT, archived_at BIGINT, last_active_at BIGINT, auto_archive INTEGER NOT NULL,
       max_request_bytes BIGINT)`,
    "CREATE UNIQUE INDEX environments_name ON environments (name)",
    // One table for the three kinds: each is looked up by its hash, named, limited, rotated and revoked alike.
    `CREATE TABLE keys (
       id TEXT PRIMARY KEY, kind TEXT NOT NULL, env TEXT, name TEXT NOT NULL, hash TEXT NOT NULL, hint TEXT NOT NULL,
       sealed TEXT, scopes TEXT, event_filter TEXT, ip_filter TEXT, rate_limit TEXT,
       created_at BIGINT NOT NULL, created_by TEXT, last_used_at BIGINT, signs_from BIGINT,
       expires_at BIGINT, revoked_at BIGINT)`,
    "CREATE UNIQUE INDEX keys_hash ON keys (kind, hash)",
    `CREATE TABLE users (
       id TEXT PRIMARY KEY, email TEXT NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL,
       password_hash TEXT NOT NULL, created_at BIGINT NOT NULL, last_seen_at BIGINT)`,
    "CREATE UNIQUE INDEX users_email ON users (email)",
    `CREATE TABLE sessions (
       id TEXT PRIMARY KEY, user_id TEXT NOT NULL, token_hash TEXT NOT NULL, created_at BIGINT NOT NULL,
       last_seen_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, address TEXT, user_agent TEXT)`,
    "CREATE UNIQUE INDEX sessions_token ON sessions (token_hash)",
    "CREATE INDEX sessions_user ON sessions (user_id)",
    `CREATE TABLE invitations (
       id TEXT PRIMARY KEY, token_hash TEXT NOT NULL, email TEXT, role TEXT NOT NULL, created_at BIGINT NOT NULL,
       created_by TEXT, expires_at BIGINT NOT NULL, accepted_at BIGINT, revoked_at BIGINT)`,
    "CREATE UNIQUE INDEX invitations_token ON invitations (token_hash)",
    `CREATE TABLE audit_log (
       id TEXT PRIMARY KEY, at BIGINT NOT NULL, actor_kind TEXT NOT NULL, actor_id TEXT, actor_name TEXT NOT NULL,
       address TEXT, action TEXT NOT NULL, target_kind TEXT NOT NULL, target_id TEXT NOT NULL,
       target_name TEXT, env TEXT, before TEXT, after TEXT)`,
  ];
}
