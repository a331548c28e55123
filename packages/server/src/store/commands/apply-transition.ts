import type { QueueItem, SourceKind, StepRecord } from "../records.ts";
import { firstRow, run, type Sql } from "../sql.ts";
import { type AcceptedEvent, insertEvent } from "./accept-events.ts";
import { keepRunLogs, type RunLogs } from "./keep-run-logs.ts";

/** A step as a transition writes it; the environment and run are the transition's. */
export type StepWrite = Omit<StepRecord, "env" | "run_id">;

/** A queue item as a transition adds it. */
export type ItemWrite = Pick<QueueItem, "id" | "kind" | "step_id" | "attempt" | "due_at">;

/** A failed attempt of a step, or of the function as a whole (`step`), as a transition adds it. */
export interface FailedAttempt {
  /** New within the run. */
  id: string;
  stepId: string;
  /** The id its author wrote; null for the function as a whole. */
  stepName: string | null;
  attempt: number;
  /** JSON text. */
  error: string;
  /** When it began and ended, ms, if the app says so; else it is as long as its call. */
  timing: { began: number; ended: number } | null;
}

/** How a run ends. */
export interface RunEnd {
  status: "completed" | "failed" | "cancelled" | "skipped";
  output: string | null;
  error: string | null;
}

export interface Transition {
  env: string;
  runId: string;
  appId: string;
  functionId: string;
  now: number;
  /** The queue item this transition answers. It must still be there, else the whole transition is stale. */
  item: string;
  /** Keep the item, with its attempts counted anew: a checkpoint, not an answer. */
  keepItem: boolean;
  /** When the call began; null when there was none (a sleep that ended). */
  startedAt: number | null;
  requestVersion: number | null;
  steps: StepWrite[];
  /** Failed attempts to remember. */
  failedAttempts: FailedAttempt[];
  enqueue: ItemWrite[];
  end: RunEnd | null;
  /** Events the service itself sends with this transition. */
  emit: AcceptedEvent[];
  /** Log lines that came with the report. */
  logs?: RunLogs | undefined;
}

/**
 * Write the outcome of a call (or of a checkpoint, or of a timer) in one go: steps, next items, the run's end
 * and the events that tell of it.
 * @returns false when the item is gone (cancelled, answered by another call): nothing was written
 */
export function* applyTransition(t: Transition): Sql<boolean> {
  if (t.keepItem) {
    if ((yield* firstRow(RESET_ITEM, [t.env, t.runId, t.item])) === undefined) return false;
  } else {
    if ((yield* firstRow(TAKE_ITEM, [t.env, t.runId, t.item])) === undefined) return false;
  }
  for (const step of t.steps) {
    yield* run(UPSERT_STEP, [
      t.env,
      t.runId,
      step.id,
      step.name,
      step.op,
      step.status,
      step.position,
      step.input,
      step.output,
      step.error,
      step.queued_at,
      step.started_at,
      step.ended_at,
      step.wakes_at,
    ]);
  }
  for (const { id, stepId, stepName, attempt, error, timing } of t.failedAttempts) {
    const { began, ended } = timing ?? { began: t.startedAt ?? t.now, ended: t.now };
    yield* run(INSERT_ATTEMPT, [t.env, t.runId, id, stepId, stepName, attempt, error, began, ended]);
  }
  for (const item of t.enqueue) {
    yield* run(INSERT_ITEM, [
      t.env,
      t.runId,
      item.id,
      t.appId,
      t.functionId,
      item.kind,
      item.step_id,
      item.attempt,
      item.due_at,
    ]);
  }
  if (t.end !== null) {
    const { status, output, error } = t.end;
    yield* run(END_RUN, [t.env, t.runId, status, t.startedAt, t.now, output, error, t.requestVersion]);
    yield* run(CLEAR_QUEUE, [t.env, t.runId]);
  } else if (t.startedAt !== null && !t.keepItem) {
    yield* run(ADVANCE_RUN, [t.env, t.runId, t.startedAt, t.requestVersion]);
  }
  if (t.logs !== undefined) yield* keepRunLogs(t.env, t.runId, t.now, t.logs);
  yield* emitEvents(t.env, t.now, t.functionId, t.emit);
  return true;
}

/** Insert the events the service sends about a run. */
export function* emitEvents(
  env: string,
  now: number,
  functionId: string,
  events: AcceptedEvent[],
): Sql<void> {
  const source: SourceKind = "service";
  for (const event of events) yield* insertEvent(env, now, source, functionId, event);
}

const TAKE_ITEM = "DELETE FROM queue WHERE env = $1 AND run_id = $2 AND id = $3 RETURNING id";

const RESET_ITEM = "UPDATE queue SET attempt = 0 WHERE env = $1 AND run_id = $2 AND id = $3 RETURNING id";

const UPSERT_STEP = `INSERT INTO steps
  (env, run_id, id, name, op, status, position, input, output, error, queued_at, started_at, ended_at, wakes_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  ON CONFLICT (env, run_id, id) DO UPDATE SET
    op = excluded.op, status = excluded.status, position = excluded.position, output = excluded.output,
    error = excluded.error,
    started_at = excluded.started_at, ended_at = excluded.ended_at`;

const INSERT_ATTEMPT = `INSERT INTO attempts (env, run_id, item_id, step_id, step_name, attempt, error, started_at, ended_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const INSERT_ITEM = `INSERT INTO queue (env, run_id, id, app_id, function_id, kind, step_id, attempt, due_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const END_RUN = `UPDATE runs SET status = $3, started_at = COALESCE(started_at, $4), ended_at = $5,
    output = $6, error = $7, request_version = COALESCE($8, request_version),
    attempts = attempts + CASE WHEN $4 IS NULL THEN 0 ELSE 1 END
  WHERE env = $1 AND id = $2`;

const ADVANCE_RUN = `UPDATE runs SET status = 'running', started_at = COALESCE(started_at, $3),
    request_version = COALESCE($4, request_version), attempts = attempts + 1
  WHERE env = $1 AND id = $2`;

const CLEAR_QUEUE = "DELETE FROM queue WHERE env = $1 AND run_id = $2";
