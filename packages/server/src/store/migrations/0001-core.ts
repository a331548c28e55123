import type { Dialect } from "../sql.ts";

/** Events, deduplication, apps, functions, runs, steps and the queue. */
export const name = "core";

export function up(dialect: Dialect): string[] {
  const clustered = dialect.clusteredTable;
  return [
    `CREATE TABLE events (
       env TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, ts BIGINT NOT NULL, received_at BIGINT NOT NULL,
       idempotency_id TEXT, data TEXT NOT NULL, extra TEXT, source_kind TEXT NOT NULL, source_name TEXT,
       PRIMARY KEY (env, id)) ${clustered}`,
    // Ids can be fixed by their sender, so 'newest first' goes by the time of receipt.
    "CREATE INDEX events_received ON events (env, received_at, id)",
    "CREATE INDEX events_name ON events (env, name, received_at, id)",
    `CREATE INDEX events_idempotency ON events (env, idempotency_id, received_at, id)
       WHERE idempotency_id IS NOT NULL`,
    `CREATE TABLE deduplication (
       env TEXT NOT NULL, id TEXT NOT NULL, event_id TEXT NOT NULL, first_at BIGINT NOT NULL,
       PRIMARY KEY (env, id)) ${clustered}`,
    "CREATE INDEX deduplication_first_at ON deduplication (first_at)",
    `CREATE TABLE apps (
       env TEXT NOT NULL, id TEXT NOT NULL, url TEXT NOT NULL, dialect TEXT NOT NULL, sdk TEXT NOT NULL,
       framework TEXT, checksum TEXT NOT NULL, created_at BIGINT NOT NULL, synced_at BIGINT NOT NULL,
       error TEXT, archived_at BIGINT,
       PRIMARY KEY (env, id)) ${clustered}`,
    `CREATE TABLE functions (
       env TEXT NOT NULL, id TEXT NOT NULL, app_id TEXT NOT NULL, name TEXT NOT NULL, config TEXT NOT NULL,
       created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, paused_at BIGINT, archived_at BIGINT,
       PRIMARY KEY (env, id)) ${clustered}`,
    `CREATE TABLE runs (
       env TEXT NOT NULL, id TEXT NOT NULL, function_id TEXT NOT NULL, app_id TEXT NOT NULL, event_id TEXT NOT NULL,
       status TEXT NOT NULL, attempts INTEGER NOT NULL, request_version INTEGER NOT NULL,
       queued_at BIGINT NOT NULL, started_at BIGINT, ended_at BIGINT, output TEXT, error TEXT,
       PRIMARY KEY (env, id)) ${clustered}`,
    "CREATE INDEX runs_function ON runs (env, function_id, id)",
    "CREATE INDEX runs_event ON runs (env, event_id, id)",
    // Most runs end well: the statuses people look for stay in a small index of their own.
    "CREATE INDEX runs_noteworthy ON runs (env, status, id) WHERE status <> 'completed'",
    `CREATE TABLE steps (
       env TEXT NOT NULL, run_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, op TEXT NOT NULL,
       status TEXT NOT NULL, position INTEGER, input TEXT, output TEXT, error TEXT,
       queued_at BIGINT NOT NULL, started_at BIGINT, ended_at BIGINT, wakes_at BIGINT,
       PRIMARY KEY (env, run_id, id)) ${clustered}`,
    `CREATE TABLE attempts (
       env TEXT NOT NULL, run_id TEXT NOT NULL, item_id TEXT NOT NULL, step_id TEXT NOT NULL,
       attempt INTEGER NOT NULL, error TEXT NOT NULL, started_at BIGINT NOT NULL, ended_at BIGINT NOT NULL,
       PRIMARY KEY (env, run_id, item_id)) ${clustered}`,
    `CREATE TABLE queue (
       env TEXT NOT NULL, run_id TEXT NOT NULL, id TEXT NOT NULL, app_id TEXT NOT NULL, function_id TEXT NOT NULL,
       kind TEXT NOT NULL, step_id TEXT NOT NULL, attempt INTEGER NOT NULL, due_at BIGINT NOT NULL,
       PRIMARY KEY (env, run_id, id)) ${clustered}`,
    // By app, because each app is served from a lane of its own: a slow one cannot hold up the others.
    "CREATE INDEX queue_due ON queue (env, app_id, due_at, id)",
  ];
}
