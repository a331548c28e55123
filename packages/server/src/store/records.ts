/** What the store holds, as plain data. Times are ms since the epoch, JSON is kept as text. */

/** Where an event came from. `service` is the service itself (`svc/function.finished` and its kin). */
export type SourceKind = "key" | "webhook" | "step" | "api" | "cron" | "service";

export type RunStatus = "queued" | "running" | "completed" | "failed" | "cancelled" | "skipped";

export interface EventRecord {
  env: string;
  id: string;
  name: string;
  ts: number;
  received_at: number;
  /** The sender's own id, if it gave one. */
  idempotency_id: string | null;
  data: string;
  /** JSON of `user`, `v`, `cloudevent`, if any was sent. */
  extra: string | null;
  source_kind: SourceKind;
  source_name: string | null;
}

export interface RunRecord {
  env: string;
  id: string;
  function_id: string;
  app_id: string;
  event_id: string;
  status: RunStatus;
  /** Calls made so far. */
  attempts: number;
  /** What the app last answered as its protocol version; -1 before its first answer. */
  request_version: number;
  queued_at: number;
  started_at: number | null;
  ended_at: number | null;
  output: string | null;
  error: string | null;
  /** The run this one repeats; null for one that its event has started. */
  rerun_of: string | null;
  /** Finished steps taken over from that run: those whose `position` is below this were not run again. */
  kept_steps: number;
}

/** A run with the name of its event, as lists show it. */
export interface ListedRun extends RunRecord {
  /** Null when retention has removed the event already. */
  event_name: string | null;
}

export type StepStatus = "planned" | "sleeping" | "completed" | "failed";

export interface StepRecord {
  env: string;
  run_id: string;
  /** Hashed step id. */
  id: string;
  /** The id as its author wrote it. */
  name: string;
  op: string;
  status: StepStatus;
  /** Place in the order in which steps finished, from 0; null while it is not finished. */
  position: number | null;
  input: string | null;
  output: string | null;
  error: string | null;
  queued_at: number;
  started_at: number | null;
  ended_at: number | null;
  /** When a sleep ends. */
  wakes_at: number | null;
}

/** A call that failed and was (or will be) tried again, or was the last one. */
export interface AttemptRecord {
  env: string;
  run_id: string;
  /** Unique within the run. One call can bring several: an id of the queue item would not do. */
  item_id: string;
  step_id: string;
  /** The step's id as its author wrote it; null for the function as a whole, and in what older releases stored. */
  step_name: string | null;
  /** From 0. */
  attempt: number;
  error: string;
  started_at: number;
  ended_at: number;
}

/** "Call this app for this run (and step) at or after `due_at`", or "end this sleep then". */
export interface QueueItem {
  env: string;
  run_id: string;
  /** Unique within the run; the first item of a run has the run's id. */
  id: string;
  app_id: string;
  function_id: string;
  kind: "call" | "sleep";
  /** Hashed id of a planned or sleeping step, or `step` for the function as a whole. */
  step_id: string;
  /** From 0. */
  attempt: number;
  due_at: number;
}

export interface AppRecord {
  env: string;
  /** The app's own id (`appName` of its sync). */
  id: string;
  url: string;
  dialect: "svc" | "inngest";
  sdk: string;
  framework: string | null;
  /** SHA-256 of the functions as synced: tells whether a sync changed anything. */
  checksum: string;
  created_at: number;
  synced_at: number;
  /** Why the last sync failed; null when it went well. */
  error: string | null;
  /** JSON of an `AppChange`: the last sync that changed anything; null when none is remembered. */
  last_change: string | null;
  archived_at: number | null;
}

/** Ids of functions, each list sorted and cut off at 50. */
export interface AppChange {
  /** ms since the epoch. */
  at: number;
  added: string[];
  changed: string[];
  removed: string[];
  /** How many there were in all. */
  counts: { added: number; changed: number; removed: number };
}

export interface FunctionRecord {
  env: string;
  /** `<app>-<function>` */
  id: string;
  app_id: string;
  name: string;
  /** JSON of the FunctionConfig as synced. */
  config: string;
  created_at: number;
  updated_at: number;
  paused_at: number | null;
  archived_at: number | null;
}
