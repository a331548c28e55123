/** What the API answers, as docs/api.md and /v1/openapi.json describe it. */

export interface One<T> {
  data: T;
}

export interface Page<T> {
  data: T[];
  page: { cursor: string | null; has_more: boolean };
}

export const RUN_STATUSES = ["queued", "running", "completed", "failed", "cancelled", "skipped"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const SOURCE_KINDS = ["key", "webhook", "step", "api", "cron", "service"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** A run as a list of events shows it. */
export interface RunOfEvent {
  id: string;
  function_id: string;
  status: RunStatus;
}

export interface Event {
  id: string;
  name: string;
  data: Record<string, unknown>;
  ts: string | null;
  received_at: string;
  idempotency_id: string | null;
  source: { kind: SourceKind; name: string | null };
  environment: string;
  v: unknown;
  user: unknown;
  cloudevent?: Record<string, unknown>;
  /** Of `data` as JSON. */
  size_bytes: number;
  run_count: number;
  /** The first ten. */
  runs: RunOfEvent[];
  /** Of one event only: the webhook request it came from. */
  webhook_request?: { webhook_id: string; request_id: string } | null;
}

/** An event as lists have it: what it carried is read when it is opened. */
export type EventRow = Omit<Event, "data" | "v" | "user" | "cloudevent">;

export interface EventStats {
  after: string;
  before: string;
  bucket_ms: number;
  counted_from: string;
  /** From here on it was looked what events have started. */
  outcomes_from: string;
  buckets: { start: string; count: number; triggered: number; failed: number }[];
}

export interface RunError {
  name: string;
  message: string;
  stack?: string;
}

export interface Run {
  id: string;
  function_id: string;
  function_name: string;
  app: string;
  event_ids: string[];
  /** Null when the event is no longer kept. */
  event_name: string | null;
  status: RunStatus;
  output: unknown;
  error: RunError | null;
  queued_at: string;
  started_at: string | null;
  ended_at: string | null;
  attempts: number;
  /** The run that this one repeats. */
  rerun_of: string | null;
  /** Finished steps taken over from that run. */
  kept_steps: number;
}

export interface RunStats {
  after: string;
  before: string;
  bucket_ms: number;
  counted_from: string;
  buckets: ({ start: string } & Record<RunStatus, number>)[];
}

export interface Attempt {
  attempt: number;
  status: "completed" | "failed";
  error: RunError | null;
  started_at: string | null;
  ended_at: string | null;
}

export interface Step {
  id: string;
  name: string;
  op: string;
  status: "planned" | "sleeping" | "completed" | "failed";
  input: unknown;
  output: unknown;
  error: RunError | null;
  attempts: Attempt[];
  queued_at: string | null;
  started_at: string | null;
  ended_at: string | null;
  wakes_at: string | null;
  /** Taken over from the run that this one repeats. */
  kept: boolean;
}

/** A failed call that belongs to no finished step; without ids it is one of the function as a whole. */
export interface FailedCall extends Attempt {
  step_id: string | null;
  /** Null in what older releases stored, too. */
  step_name: string | null;
}

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogLine {
  at: string;
  level: LogLevel;
  text: string;
  /** Null outside of steps. */
  step_id: string | null;
  /** From 0; null for a line of the service. */
  attempt: number | null;
}

export interface RunStory extends Run {
  steps: Step[];
  failed_calls: FailedCall[];
  /** Oldest first. */
  logs: LogLine[];
}

export type Trigger = { event: string; expression?: string } | { cron: string };

export interface Fn {
  id: string;
  name: string;
  app: string;
  url: string;
  triggers: Trigger[];
  retries: number;
  paused: boolean;
}

/** Of all functions that had runs. */
export interface FunctionActivity {
  after: string;
  before: string;
  bucket_ms: number;
  counted_from: string;
  /** `buckets`: runs queued and of them those that failed. */
  functions: { id: string; count: number; failed: number; buckets: [count: number, failed: number][] }[];
}

export interface RunOutcomes {
  count: number;
  completed: number;
  failed: number;
  cancelled: number;
  p50_ms: number | null;
  p95_ms: number | null;
}

export interface FunctionStats extends RunOutcomes {
  after: string;
  before: string;
  bucket_ms: number;
  counted_from: string;
  buckets: (RunOutcomes & { start: string; backlog: number })[];
}

export interface App {
  id: string;
  url: string;
  sdk: string;
  framework: string | null;
  function_count: number;
  created_at: string;
  synced_at: string;
  error: string | null;
}

export interface AppAddress {
  url: string;
  source: "configured" | "discovered" | "synced";
  state: "waiting" | "connected" | "lost";
  error: string | null;
  app_id: string | null;
  tried_at: string | null;
}

export interface Environment {
  id: string;
  name: string;
  type: string;
  archived_at: string | null;
}
