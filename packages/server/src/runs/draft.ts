/**
 * A draft is a transition being put together: what one answer of an app (or a timer, or a checkpoint) changes
 * in its run. Opcode handlers write into it; `apply` brings it into memory, the store makes it durable.
 */
import type { LogLine, Op, WireError } from "@svc/protocol";
import type { RegisteredFunction } from "../registry/registry.ts";
import type { FailedAttempt, ItemWrite, RunEnd, StepWrite } from "../store/commands/apply-transition.ts";
import { longerThan } from "../text-size.ts";
import { isFinished, type PendingItem, putStep, RACING, type RunState } from "./run-state.ts";

/** Bounds of a run; passing one ends the run with an error that names it. */
export interface RunLimits {
  stepsPerRun: number;
  /** Bytes of one step's output and of one answer. */
  outputBytes: number;
  /** Bytes of all memoised steps of a run. */
  stateBytes: number;
  /** Longest sleep, ms. */
  sleepMs: number;
}

export const RUN_LIMITS: RunLimits = {
  stepsPerRun: 1_000,
  outputBytes: 4 * 1024 * 1024,
  stateBytes: 32 * 1024 * 1024,
  sleepMs: 366 * 86_400_000,
};

/** Largest answer of an app, bytes: an output at its limit, and what the protocol puts around it. */
export const MAX_ANSWER_BYTES = RUN_LIMITS.outputBytes + 1024 * 1024;

export interface DraftContext {
  state: RunState;
  /** The queue item that was called for. */
  item: PendingItem;
  fn: Pick<RegisteredFunction, "maxAttempts" | "dialect">;
  now: number;
  /** When the call began. */
  startedAt: number | null;
  limits: RunLimits;
  nextId: () => string;
  /** Moment of the next attempt after `attempt` (from 0) failed. */
  retryAt: (attempt: number) => number;
}

export interface Draft {
  steps: StepWrite[];
  enqueue: ItemWrite[];
  failedAttempts: FailedAttempt[];
  end: RunEnd | null;
  /** Something was memoised, so the function can go on. */
  progressed: boolean;
  /** The app asked to be called again. */
  discover: boolean;
  /** Lines the handler has logged since its last report. */
  logs: readonly LogLine[];
}

const NO_LINES: readonly LogLine[] = [];

export function newDraft(): Draft {
  return {
    steps: [],
    enqueue: [],
    failedAttempts: [],
    end: null,
    progressed: false,
    discover: false,
    logs: NO_LINES,
  };
}

/** Finish a step with its output or error. */
export function memoise(
  draft: Draft,
  context: DraftContext,
  op: Pick<Op, "id" | "op" | "name" | "displayName" | "opts" | "timing" | "userland">,
  outcome: { output: string } | { error: WireError },
): void {
  const { state, now, startedAt, limits } = context;
  const known = state.steps.get(op.id);
  if (isFinished(state, op.id)) {
    // Reported twice: the first outcome stands. An app that did not hear that its checkpoint was stored answers with
    // the step again, and goes on only when it is called again. An app that repeats what the call told it does not.
    if (context.item.reported === true) draft.progressed = true;
    return;
  }
  if (draft.steps.some((step) => step.id === op.id)) return;
  if (known === undefined && state.steps.size + draft.steps.length >= limits.stepsPerRun) {
    failRun(draft, limitError(`This run has passed ${limits.stepsPerRun} steps, the most one run may have.`));
    return;
  }
  const output = "output" in outcome ? outcome.output : null;
  if (output !== null && longerThan(output, limits.outputBytes)) {
    failRun(
      draft,
      limitError(
        `The output of step "${stepName(op)}" is ${Buffer.byteLength(output)} bytes; the limit is ${limits.outputBytes}.`,
      ),
    );
    return;
  }
  if (state.memoBytes + Buffer.byteLength(output ?? "") > limits.stateBytes) {
    failRun(draft, limitError(`The steps of this run hold more than ${limits.stateBytes} bytes together.`));
    return;
  }
  const told = momentsOf(op.timing);
  const began = told?.began ?? startedAt;
  draft.steps.push({
    id: op.id,
    name: known?.name ?? stepName(op),
    op: known?.op === "Sleep" ? "Sleep" : "StepRun",
    status: output !== null ? "completed" : "failed",
    position: state.stack.length + draft.steps.filter((step) => step.position !== null).length,
    input: null,
    output,
    error: "error" in outcome ? JSON.stringify(outcome.error) : null,
    queued_at: known?.queuedAt ?? began ?? now,
    started_at: began,
    ended_at: told?.ended ?? now,
    wakes_at: known?.wakesAt ?? null,
  });
  draft.progressed = true;
}

/** The last moment a date can have, ms. Stored numbers past 2^53 could not even be read again. */
const LAST_MOMENT = 8.64e15;

/** When a step began and ended by the app's clock, ms; null when it does not say, or tells what no clock can show. */
function momentsOf(timing: Op["timing"]): { began: number; ended: number } | null {
  if (!timing) return null;
  const began = Math.round(timing.a / 1e6);
  const ended = Math.round((timing.a + timing.b) / 1e6);
  return began >= 0 && ended >= began && ended <= LAST_MOMENT ? { began, ended } : null;
}

/** Note a step that is to be waited for; does nothing when the run knows the step already. */
export function planStep(
  draft: Draft,
  context: DraftContext,
  op: Op,
  plan: { status: "planned" | "sleeping"; dueAt: number; racing?: boolean },
): void {
  const { state, now, limits } = context;
  if (state.steps.has(op.id) || draft.steps.some((step) => step.id === op.id)) return;
  if (state.steps.size + draft.steps.length >= limits.stepsPerRun) {
    failRun(draft, limitError(`This run has passed ${limits.stepsPerRun} steps, the most one run may have.`));
    return;
  }
  const sleeping = plan.status === "sleeping";
  draft.steps.push({
    id: op.id,
    name: stepName(op),
    op: sleeping ? "Sleep" : "StepRun",
    status: plan.status,
    position: null,
    input: plan.racing === true ? RACING : null,
    output: null,
    error: null,
    queued_at: now,
    started_at: sleeping ? now : null,
    ended_at: null,
    wakes_at: sleeping ? plan.dueAt : null,
  });
  draft.enqueue.push({
    id: context.nextId(),
    kind: sleeping ? "sleep" : "call",
    step_id: op.id,
    attempt: 0,
    due_at: plan.dueAt,
  });
}

/**
 * Note a failed attempt, and call again later if attempts are left.
 * @returns whether there will be another attempt
 */
export function retryLater(
  draft: Draft,
  context: DraftContext,
  error: WireError,
  options: { stepId: string; op?: Op; retryAt: number | null; final?: boolean },
): boolean {
  const { item, fn, nextId, retryAt } = context;
  draft.failedAttempts.push({
    id: nextId(),
    stepId: options.stepId,
    stepName: options.op === undefined ? null : stepName(options.op),
    attempt: item.attempt,
    error: JSON.stringify(error),
    timing: momentsOf(options.op?.timing),
  });
  if (options.final === true || item.attempt + 1 >= fn.maxAttempts) return false;
  // A call is one attempt, however many failures it reports: only one call follows from it.
  if (draft.enqueue.some(({ attempt }) => attempt > item.attempt)) return true;
  draft.enqueue.push({
    id: nextId(),
    kind: "call",
    step_id: item.step_id,
    attempt: item.attempt + 1,
    due_at: options.retryAt ?? retryAt(item.attempt),
  });
  return true;
}

/** End the run with an error. */
export function failRun(draft: Draft, error: WireError): void {
  draft.end = { status: "failed", output: null, error: JSON.stringify(error) };
}

/** An error that says which limit was passed. */
export function limitError(message: string): WireError {
  return { name: "LimitError", message };
}

/** Longest name of a step that is kept, characters. */
const MAX_NAME_LENGTH = 1_000;

/** The name a step's author gave it. */
export function stepName(op: Pick<Op, "id" | "name" | "displayName" | "userland">): string {
  const name = op.userland?.id ?? op.displayName ?? op.name ?? op.id;
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`;
}

/** Bring a draft into the run's memory. The item it answers is gone unless `keepItem`. */
export function applyToState(draft: Draft, context: DraftContext, keepItem: boolean): void {
  const { state, item } = context;
  if (!keepItem) state.items.delete(item.id);
  else Object.assign(item, { attempt: 0, reported: true });
  for (const step of draft.steps) {
    putStep(state, step);
    if (step.position !== null) state.stack.push(step.id);
  }
  for (const next of draft.enqueue) state.items.set(next.id, { ...next, call: null });
  if (draft.end !== null) {
    state.ended = true;
    state.items.clear();
  }
}
