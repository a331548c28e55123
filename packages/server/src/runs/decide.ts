/** From an app's answer to a draft: what is memoised, what is called next, how the run ends. */
import type { LogLine } from "@svc/protocol";
import { type Answer, notAnSdk } from "./answer.ts";
import { completeRun } from "./complete-run.ts";
import { type Draft, type DraftContext, failRun, newDraft, retryLater } from "./draft.ts";
import { hasPlannedCalls, isFinished } from "./run-state.ts";
import { applyOp } from "./steps/index.ts";
import { wake } from "./steps/sleep.ts";

/**
 * Decide what an answer changes. Pure: neither the state nor the store is touched. Never throws: an answer that
 * nothing can be made of (a value nested so deep that it cannot be written) is one that may be tried again.
 */
export function decideAnswer(context: DraftContext, answer: Answer): Draft {
  let draft: Draft;
  try {
    draft = decide(context, answer);
  } catch (error) {
    draft = decide(context, notAnSdk(`it could not be read: ${(error as Error).message}`, ""));
  }
  if (answer.logs !== undefined) draft.logs = answer.logs;
  return draft;
}

function decide(context: DraftContext, answer: Answer): Draft {
  const draft = newDraft();
  switch (answer.kind) {
    case "done":
      completeRun(draft, context, answer.output);
      break;
    case "error": {
      const { error, retriable, retryAt } = answer;
      const { step_id: stepId } = context.item;
      if (!retryLater(draft, context, error, { stepId, retryAt, final: !retriable })) failRun(draft, error);
      break;
    }
    case "ops":
      for (const op of answer.ops) {
        applyOp(draft, context, op, answer.retryAt);
        if (draft.end !== null) break;
      }
      if (draft.end === null) continueRun(draft, context);
      break;
  }
  if (draft.end !== null) draft.enqueue = [];
  return draft;
}

/** Decide what the item of a step changes for which no call is needed: its sleep has ended, or it is finished already. */
export function decideWithoutCall(context: DraftContext): Draft {
  const draft = newDraft();
  if (isFinished(context.state, context.item.step_id)) draft.discover = true;
  else wake(draft, context);
  if (draft.end === null) continueRun(draft, context);
  return draft;
}

/** Decide what steps change that were reported while their call goes on. */
export function decideCheckpoint(
  context: DraftContext,
  ops: Extract<Answer, { kind: "ops" }>["ops"],
  logs: readonly LogLine[],
): Draft {
  const draft = newDraft();
  draft.logs = logs;
  for (const op of ops) {
    applyOp(draft, context, op, null);
    if (draft.end !== null) break;
  }
  return draft;
}

/** Call the function again after progress, unless a call that will see it is waiting already. */
function continueRun(draft: Draft, context: DraftContext): void {
  const { state, item, now, nextId } = context;
  if (!draft.progressed && !draft.discover) {
    if (draft.enqueue.length === 0 && !isWaiting(context)) {
      failRun(draft, {
        name: "NothingToDo",
        message: "The app answered without a step to run, and none is under way: this run could never go on.",
      });
    }
    return;
  }
  if (draft.enqueue.some((next) => next.step_id === "step")) return;
  for (const other of state.items.values()) {
    if (other.id !== item.id && other.step_id === "step" && other.call === null) return;
  }
  if (coalesces(context)) return;
  draft.enqueue.push({ id: nextId(), kind: "call", step_id: "step", attempt: 0, due_at: now });
}

/** Whether something else of this run is waiting or under way. */
function isWaiting({ state, item }: DraftContext): boolean {
  for (const id of state.items.keys()) if (id !== item.id) return true;
  return false;
}

/**
 * Clients of the Inngest specification from protocol version 2 on expect one discovery after all parallel steps,
 * not one after each, unless a step says `parallelMode: "race"`. Our own SDK is called after each step that
 * finishes (calls that would see nothing new are left out), so that `Promise.race` and parallel chains go on at
 * once.
 */
function coalesces({ state, item, fn }: DraftContext): boolean {
  if (fn.dialect !== "inngest" || state.requestVersion < 2 || state.racing) return false;
  if (item.kind === "sleep" || item.step_id === "step") return false;
  return hasPlannedCalls(state, item.id);
}
