/** Reads what the service has stored, straight from its file, as it can be done beside it or after its end. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface StoredEvent {
  id: string;
  name: string;
  data: string;
}

export interface StoredRun {
  id: string;
  function_id: string;
  event_id: string;
  status: string;
  output: string | null;
  error: string | null;
  queued_at: number;
  ended_at: number | null;
}

export interface StoredStep {
  run_id: string;
  name: string;
  status: string;
  output: string | null;
  position: number | null;
}

export interface StoredRequest {
  id: string;
  /** Name of its webhook. */
  webhook: string;
  status: string;
  event_ids: string | null;
  finished_at: number | null;
  /** Null when its payload is gone. */
  body: string | null;
}

export interface Stored {
  /** What SQLite says to `PRAGMA integrity_check`: "ok". */
  integrity: string;
  events: StoredEvent[];
  runs: StoredRun[];
  steps: StoredStep[];
  queue: { run_id: string; kind: string; step_id: string; attempt: number; due_at: number }[];
  /** Failed attempts that are remembered. */
  attempts: { run_id: string; error: string }[];
  deduplication: { id: string; event_id: string }[];
  /** The inbox of the webhooks, and how many payloads there are. */
  requests: StoredRequest[];
  payloads: number;
  /** From events to the requests they came from. */
  links: { event_id: string; request_id: string }[];
  /** Outcomes as they were counted. */
  hours: { status: string; count: number }[];
}

/** Read everything. */
export function readStored(dataDir: string): Stored {
  return reading(dataDir, (db) => {
    const all = <T>(sql: string) => db.prepare(sql).all() as T[];
    return {
      integrity: all<{ integrity_check: string }>("PRAGMA integrity_check")
        .map((row) => row.integrity_check)
        .join("; "),
      events: all("SELECT id, name, data FROM events ORDER BY id"),
      runs: all("SELECT id, function_id, event_id, status, output, error, queued_at, ended_at FROM runs"),
      steps: all("SELECT run_id, name, status, output, position FROM steps ORDER BY run_id, position"),
      queue: all("SELECT run_id, kind, step_id, attempt, due_at FROM queue"),
      attempts: all("SELECT run_id, error FROM attempts"),
      deduplication: all("SELECT id, event_id FROM deduplication"),
      requests: all(REQUESTS),
      payloads: Number(db.prepare("SELECT count(*) AS n FROM webhook_payloads").get()?.n),
      links: all("SELECT event_id, request_id FROM webhook_events"),
      hours: all("SELECT status, sum(count) AS count FROM webhook_hours GROUP BY status"),
    };
  });
}

const REQUESTS = `SELECT r.id, w.name AS webhook, r.status, r.event_ids, r.finished_at, p.body
  FROM webhook_requests r JOIN webhooks w ON w.id = r.webhook_id
  LEFT JOIN webhook_payloads p ON p.webhook_id = r.webhook_id AND p.request_id = r.id`;

/** How many webhook requests have no outcome yet. */
export function pendingRequests(dataDir: string): number {
  const sql = "SELECT count(*) AS n FROM webhook_requests WHERE status = 'pending'";
  return reading(dataDir, (db) => Number(db.prepare(sql).get()?.n));
}

/** How many queue items are left. */
export function queueLength(dataDir: string): number {
  return reading(dataDir, (db) => Number(db.prepare("SELECT count(*) AS n FROM queue").get()?.n));
}

function reading<T>(dataDir: string, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(dataDir, "svc.db"), { readOnly: true, timeout: 5_000 });
  try {
    return read(db);
  } finally {
    db.close();
  }
}
