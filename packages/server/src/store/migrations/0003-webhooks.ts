import type { Dialect } from "../sql.ts";

/** Webhooks, the versions of their transforms, and the inbox of requests they received. */
export const name = "webhooks";

export function up(dialect: Dialect): string[] {
  const clustered = dialect.clusteredTable;
  return [
    `CREATE TABLE webhooks (
       id TEXT PRIMARY KEY, env TEXT NOT NULL, name TEXT NOT NULL, key_hash TEXT, key_sealed TEXT,
       version INTEGER NOT NULL, event_filter TEXT, ip_filter TEXT, rate_limit TEXT,
       created_at BIGINT NOT NULL, created_by TEXT, updated_at BIGINT NOT NULL, paused_at BIGINT, deleted_at BIGINT)`,
    "CREATE UNIQUE INDEX webhooks_key ON webhooks (key_hash) WHERE key_hash IS NOT NULL",
    `CREATE TABLE webhook_versions (
       webhook_id TEXT NOT NULL, version INTEGER NOT NULL, transform TEXT NOT NULL, created_at BIGINT NOT NULL,
       created_by TEXT, restored_from INTEGER,
       PRIMARY KEY (webhook_id, version))`,
    `CREATE TABLE webhook_requests (
       webhook_id TEXT NOT NULL, id TEXT NOT NULL, received_at BIGINT NOT NULL, address TEXT NOT NULL,
       size INTEGER NOT NULL, branch TEXT, status TEXT NOT NULL, version INTEGER, error TEXT, logs TEXT,
       duration_us INTEGER, env TEXT, event_ids TEXT, events TEXT, finished_at BIGINT,
       PRIMARY KEY (webhook_id, id)) ${clustered}`,
    // Most requests are accepted: the others are the ones people look for, and after a crash go on with.
    `CREATE INDEX webhook_requests_status ON webhook_requests (webhook_id, status, id) WHERE status <> 'accepted'`,
    // Ids carry the time of receipt: this one finds a request by its id alone, and those that are over age.
    "CREATE UNIQUE INDEX webhook_requests_id ON webhook_requests (id, webhook_id)",
    // Apart from the row that changes, because an update writes the whole row again.
    `CREATE TABLE webhook_payloads (
       webhook_id TEXT NOT NULL, request_id TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, query TEXT NOT NULL,
       headers TEXT NOT NULL, body TEXT NOT NULL, body_encoding TEXT NOT NULL,
       PRIMARY KEY (webhook_id, request_id)) ${clustered}`,
    // From an event to the request it came from.
    `CREATE TABLE webhook_events (
       env TEXT NOT NULL, event_id TEXT NOT NULL, webhook_id TEXT NOT NULL, request_id TEXT NOT NULL,
       PRIMARY KEY (env, event_id)) ${clustered}`,
    "CREATE INDEX webhook_events_request ON webhook_events (request_id)",
    // Counted as requests are finished, because counting them when asked costs too much.
    `CREATE TABLE webhook_hours (
       webhook_id TEXT NOT NULL, hour BIGINT NOT NULL, status TEXT NOT NULL, count BIGINT NOT NULL,
       PRIMARY KEY (webhook_id, hour, status)) ${clustered}`,
  ];
}
