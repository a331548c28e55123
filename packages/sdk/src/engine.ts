/**
 * The engine: one call of a function. It runs the handler from its start, gives finished steps their
 * memoised results, and finds out what comes next.
 *
 * The loop: wait until the handler can get no further (microtasks drained), then settle one memoised step,
 * the earliest to have finished among those the handler waits for, and look again. Settling one at a time in
 * the order of the first run makes races come out the same on every replay. When only unfinished steps are
 * left: a single one is run at once (if the call allows it), several are reported as planned.
 */
import { hashStepId, type Op, type StepState, type WireError } from "@svc/protocol";
import { SdkError, StepError } from "./errors.ts";
import { throughJson } from "./json.ts";
import { microtasksDrained } from "./quiet.ts";
import { insideStep, runningStep } from "./step-context.ts";
import type { StepRequest } from "./step-tools.ts";
import { isNonRetriable, retryAfterOf, toWireError } from "./wire-error.ts";

/** What the engine knows of a call. */
export interface EngineCall {
  /** Memoised steps by hash. */
  steps: Record<string, StepState>;
  /** Hashes of finished steps, in the order in which they finished. */
  stack: string[];
  /** From 0. */
  attempt: number;
  maxAttempts: number;
  /** Hash of the one step to run, when this call is for a planned step. */
  target?: string | undefined;
  /** A single new step may be run without planning it first. */
  immediate: boolean;
  /** Report a finished step while the call goes on; false when the service did not take it. */
  checkpoint?: ((op: Op) => Promise<boolean>) | undefined;
  /** Milliseconds after which the call ends with the next finished step; 0 for no bound. */
  maxRuntime?: number | undefined;
  /** How long a target may stay unfound while other steps are waiting, ms. */
  targetPatienceMs?: number | undefined;
}

/** What a handler runs with. */
export interface EngineHandle {
  request(step: StepRequest): Promise<unknown>;
  /** Whether the handler still repeats what an earlier call has done. */
  isReplaying(): boolean;
  /** Hash of the step in whose function we are; `undefined` outside of steps. */
  runningStep(): string | undefined;
}

/** How a call ended. */
export type Outcome =
  | { kind: "done"; json: string; checkpointed: boolean }
  | { kind: "ops"; ops: Op[]; noRetry?: boolean; retryAfter?: string | undefined }
  | { kind: "failed"; error: WireError; noRetry: boolean; retryAfter: string | undefined };

interface FoundStep {
  request: StepRequest;
  hash: string;
  index: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const TARGET_PATIENCE_MS = 10_000;

/** Run one call of a function. Never rejects. */
export async function execute(
  call: EngineCall,
  handler: (handle: EngineHandle) => unknown,
): Promise<Outcome> {
  const startedAt = performance.now();
  /** Every hash found so far; used once each. */
  const used = new Set<string>();
  const uses = new Map<string, number>();
  /** Steps the handler waits for, in the order they were found. */
  const open = new Map<string, FoundStep>();
  const memoised = memoisedOrder(call);
  let replaying = memoised.length > 0;
  let attempt = call.attempt;
  let checkpointed = false;
  let ended = false;
  let finished: { value: unknown } | { thrown: unknown } | undefined;

  let changed = false;
  let wake: (() => void) | undefined;
  const change = (): void => {
    changed = true;
    wake?.();
  };
  /** Resolves when a step was found or the handler finished since the last time; false when time ran out. */
  const nextChange = (timeoutMs?: number): Promise<boolean> | boolean => {
    if (changed) return true;
    return new Promise((resolve) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => resolve(false), timeoutMs);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  };

  const request = (step: StepRequest): Promise<unknown> => {
    // The answer is out: this call must find nothing more, the next one will.
    if (ended) return new Promise(() => {});
    const outer = runningStep(call);
    if (outer !== undefined) return rejected(nestedStep(step.id, outer.stepId));
    let index = uses.get(step.id) ?? 0;
    let hash = hashStepId(step.id, index);
    // A user may have named a step `a:1` beside two of `a`.
    while (used.has(hash)) hash = hashStepId(step.id, ++index);
    uses.set(step.id, index + 1);
    used.add(hash);
    const promise = new Promise((resolve, reject) => {
      open.set(hash, { request: step, hash, index, resolve, reject });
    });
    // A step that nobody awaits must not end the process when it fails.
    promise.catch(() => {});
    change();
    return promise;
  };

  const handle: EngineHandle = {
    request,
    // A call for one planned step: all around it has been run by the call that planned it.
    isReplaying: () => replaying || (call.target !== undefined && runningStep(call) === undefined),
    runningStep: () => runningStep(call)?.hash,
  };

  Promise.resolve()
    .then(() => handler(handle))
    .then(
      (value) => {
        finished = { value };
      },
      (thrown) => {
        finished = { thrown };
      },
    )
    .finally(change);

  const step = async (): Promise<Outcome | undefined> => {
    await nextChange();
    changed = false;
    if (finished) return finalOutcome(finished, checkpointed);
    await microtasksDrained();
    if (finished) return finalOutcome(finished, checkpointed);

    const replayed = takeMemoised(memoised, open);
    replaying = replayed?.isLast === false;
    if (replayed) {
      settle(replayed.step, call.steps[replayed.step.hash] as StepState);
      change();
      return undefined;
    }
    if (open.size === 0) return undefined;
    if (call.target !== undefined) {
      const target = open.get(call.target);
      if (target?.request.run) return opsOutcome(await perform(call, target, attempt));
      if (target) return { kind: "ops", ops: [pendingOp(target)] };
      if (await nextChange(call.targetPatienceMs ?? TARGET_PATIENCE_MS)) return undefined;
      return { kind: "ops", ops: [{ id: call.target, op: "StepNotFound" }] };
    }
    const [first, second] = open.values();
    if (!first || second || !first.request.run || !call.immediate) {
      return { kind: "ops", ops: Array.from(open.values(), pendingOp) };
    }
    const result = await perform(call, first, attempt);
    const outOfTime = !!call.maxRuntime && performance.now() - startedAt >= call.maxRuntime;
    if (result.op.error || outOfTime || !(await call.checkpoint?.(result.op))) return opsOutcome(result);
    checkpointed = true;
    // The service counts attempts anew once a step has been kept.
    attempt = 0;
    open.delete(first.hash);
    first.resolve(result.op.data);
    change();
    return undefined;
  };

  try {
    let outcome: Outcome | undefined;
    while (!outcome) outcome = await step();
    return outcome;
  } finally {
    ended = true;
  }
}

/** Hashes of the finished steps in settling order. A step of which only the input is kept still has to run. */
function memoisedOrder(call: EngineCall): string[] {
  const order = new Set([...call.stack, ...Object.keys(call.steps)]);
  return [...order].filter((hash) => {
    const state = call.steps[hash];
    return (
      state === null || (state !== undefined && ("data" in state || "error" in state || !("input" in state)))
    );
  });
}

/**
 * The first finished step that the handler waits for, and whether none that finished later is left. Steps that
 * the code no longer has are passed over.
 */
function takeMemoised(
  memoised: string[],
  open: Map<string, FoundStep>,
): { step: FoundStep; isLast: boolean } | undefined {
  const at = memoised.findIndex((hash) => open.has(hash));
  const hash = memoised[at];
  if (hash === undefined) return undefined;
  const step = open.get(hash)!;
  memoised.splice(at, 1);
  open.delete(hash);
  return { step, isLast: at >= memoised.length };
}

function settle(step: FoundStep, state: StepState): void {
  if (state !== null && "error" in state && state.error) {
    step.reject(new StepError(step.request.id, state.error as WireError));
  } else if (state !== null && step.request.run) {
    step.resolve("data" in state ? state.data : null);
  } else {
    step.resolve(state);
  }
}

interface Performed {
  op: Op;
  thrown?: unknown;
}

/** Run a step's own function and describe how it went. */
async function perform(call: EngineCall, step: FoundStep, attempt: number): Promise<Performed> {
  const { request, hash } = step;
  const startedAt = performance.timeOrigin + performance.now();
  const began = performance.now();
  const timing = (): NonNullable<Op["timing"]> => ({
    a: Math.round(startedAt * 1e6),
    b: Math.round((performance.now() - began) * 1e6),
  });
  const state = call.steps[hash];
  const input = state !== null && state !== undefined && "input" in state ? state.input : undefined;
  try {
    const inputs = Array.isArray(input) ? input : undefined;
    const value = await insideStep({ owner: call, stepId: request.id, hash }, () =>
      request.run?.(hash, inputs),
    );
    return { op: { ...describe(step), op: "StepRun", data: stepData(request.id, value), timing: timing() } };
  } catch (thrown) {
    const final = isNonRetriable(thrown) || attempt + 1 >= call.maxAttempts;
    const op: Op = {
      ...describe(step),
      op: final ? "StepFailed" : "StepError",
      error: toWireError(thrown),
      data: null,
      timing: timing(),
    };
    return { op, thrown };
  }
}

function stepData(stepId: string, value: unknown): unknown {
  try {
    return throughJson(value);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new SdkError("not_serialisable", `Step "${stepId}" returned a value that is not JSON: ${reason}`, {
      cause,
    });
  }
}

function describe(step: FoundStep): Omit<Op, "op"> {
  const { id, name, displayName, opts } = step.request;
  const userland = step.index === 0 ? { id } : { id, index: step.index };
  return { id: step.hash, name, displayName, opts, userland };
}

function pendingOp(step: FoundStep): Op {
  return { ...describe(step), op: step.request.run ? "StepPlanned" : step.request.op, data: null };
}

function opsOutcome({ op, thrown }: Performed): Outcome {
  if (!op.error) return { kind: "ops", ops: [op] };
  return { kind: "ops", ops: [op], noRetry: op.op === "StepFailed", retryAfter: retryAfterOf(thrown) };
}

function finalOutcome(finished: { value: unknown } | { thrown: unknown }, checkpointed: boolean): Outcome {
  let thrown: unknown;
  if ("value" in finished) {
    try {
      return { kind: "done", json: JSON.stringify(finished.value) ?? "null", checkpointed };
    } catch (cause) {
      const reason = (cause as Error).message;
      thrown = new SdkError("not_serialisable", `The function returned a value that is not JSON: ${reason}`, {
        cause,
      });
    }
  } else {
    thrown = finished.thrown;
  }
  // A failed step stays failed, so trying the function again would only end the same way.
  const noRetry = isNonRetriable(thrown) || thrown instanceof StepError;
  return { kind: "failed", error: toWireError(thrown), noRetry, retryAfter: retryAfterOf(thrown) };
}

function nestedStep(inner: string, outer: string): SdkError {
  return new SdkError(
    "step_nested",
    `Step "${inner}" was started inside step "${outer}". Steps cannot be nested: start it after "${outer}", or call a plain function.`,
  );
}

function rejected(error: Error): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => {});
  return promise;
}
