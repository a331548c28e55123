/** A run in memory: what the next call needs, and what is under way. The store holds the truth. */
import type { AcceptedEvent } from "../store/commands/accept-events.ts";
import type { ItemWrite } from "../store/commands/apply-transition.ts";
import type { StoredRunState } from "../store/queries/run-state.ts";
import type { QueueItem, StepRecord, StepStatus } from "../store/records.ts";
import { eventJson } from "./event-json.ts";

export interface StepEntry {
  name: string;
  op: string;
  status: StepStatus;
  /** JSON as calls carry it, once the step is finished: `{"data":…}`, `{"error":…}` or `null`. */
  memo: string | null;
  queuedAt: number;
  wakesAt: number | null;
}

export interface AppCall {
  requestId: string;
  startedAt: number;
  /** Ends the call when its run is cancelled or the service stops. */
  abort: AbortController;
}

export interface PendingItem extends ItemWrite {
  /** Set while its call is under way. */
  call: AppCall | null;
  /** Steps were reported while its call went on. */
  reported?: boolean;
}

export interface RunState {
  env: string;
  runId: string;
  functionId: string;
  appId: string;
  /** The event as the function receives it. */
  event: string;
  /** Name of the event that started the run. */
  eventName: string;
  requestVersion: number;
  steps: Map<string, StepEntry>;
  /** Hashed ids of the finished steps in the order in which they finished. */
  stack: string[];
  /** Bytes of memoised JSON. */
  memoBytes: number;
  items: Map<string, PendingItem>;
  ended: boolean;
  /** Parallel steps were planned that race: each that finishes is followed by a discovery at once. */
  racing: boolean;
  /** Writes on their way to the store; such a state must stay in memory. */
  writes: number;
}

/** The state of a run that was just created. */
export function newRunState(
  env: string,
  runId: string,
  functionId: string,
  appId: string,
  dueAt: number,
  [id, name, ts, idempotencyId, data, extra]: AcceptedEvent,
): RunState {
  return {
    env,
    runId,
    functionId,
    appId,
    event: eventJson({ id, idempotencyId, name, ts, data, extra }),
    eventName: name,
    requestVersion: -1,
    steps: new Map(),
    stack: [],
    memoBytes: 0,
    items: new Map([
      [runId, { id: runId, kind: "call", step_id: "step", attempt: 0, due_at: dueAt, call: null }],
    ]),
    ended: false,
    racing: false,
    writes: 0,
  };
}

/** The state of a run as it was stored. */
export function restoreRunState({ run, event, steps, queue }: StoredRunState): RunState {
  const state: RunState = {
    env: run.env,
    runId: run.id,
    functionId: run.function_id,
    appId: run.app_id,
    event: eventJson({ ...event, idempotencyId: event.idempotency_id }),
    eventName: event.name,
    requestVersion: run.request_version,
    steps: new Map(),
    stack: [],
    memoBytes: 0,
    items: new Map(queue.map((item) => [item.id, pendingItem(item)])),
    ended: run.status !== "queued" && run.status !== "running",
    racing: false,
    writes: 0,
  };
  for (const step of steps) putStep(state, step);
  state.stack = steps
    .filter((step) => step.position !== null)
    .sort((a, b) => a.position! - b.position!)
    .map((step) => step.id);
  return state;
}

/** Bring a step as it is stored into memory; its place among the finished ones is the caller's concern. */
export function putStep(state: RunState, step: Omit<StepRecord, "env" | "run_id">): void {
  const memo = memoOf(step.status, step.op, step.output, step.error);
  state.steps.set(step.id, {
    name: step.name,
    op: step.op,
    status: step.status,
    memo,
    queuedAt: step.queued_at,
    wakesAt: step.wakes_at,
  });
  state.memoBytes += Buffer.byteLength(memo ?? "");
  if (step.input === RACING) state.racing = true;
}

function pendingItem(item: QueueItem): PendingItem {
  const { id, kind, step_id, attempt, due_at } = item;
  return { id, kind, step_id, attempt, due_at, call: null };
}

/** The memoised JSON of a finished step; null while it is not finished. */
function memoOf(status: StepStatus, op: string, output: string | null, error: string | null): string | null {
  if (status === "failed") return `{"error":${error ?? "{}"}}`;
  if (status !== "completed") return null;
  return op === "Sleep" ? "null" : `{"data":${output ?? "null"}}`;
}

/** `input` of a planned step that races. */
export const RACING = '{"parallelMode":"race"}';

/** Roughly what a state costs in memory, bytes. */
export function stateBytes(state: RunState): number {
  return 1_000 + state.event.length + state.memoBytes;
}

/** Whether a step has its outcome. */
export function isFinished(state: RunState, stepId: string): boolean {
  return typeof state.steps.get(stepId)?.memo === "string";
}

/** Whether calls of planned (parallel) steps are waiting or under way. */
export function hasPlannedCalls(state: RunState, except?: string): boolean {
  for (const item of state.items.values()) {
    if (item.kind === "call" && item.step_id !== "step" && item.id !== except) return true;
  }
  return false;
}
