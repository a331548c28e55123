import type { Op } from "@svc/protocol";
import { type Draft, type DraftContext, memoise, retryLater } from "../draft.ts";
import { isFinished } from "../run-state.ts";
import { wireError } from "../wire-error.ts";

/** `StepError`: a step threw; try it again, or hand its error to the function when no attempt is left. */
export function stepError(draft: Draft, context: DraftContext, op: Op, retryAt: number | null): void {
  const error = wireError(op.error);
  if (!retryLater(draft, context, error, { stepId: op.id, op, retryAt })) {
    memoise(draft, context, op, { error });
  }
}

/** `StepFailed`: a step threw and must not be tried again; hand its error to the function. */
export function stepFailed(draft: Draft, context: DraftContext, op: Op): void {
  const error = wireError(op.error);
  const isNews = !isFinished(context.state, op.id);
  if (isNews) retryLater(draft, context, error, { stepId: op.id, op, retryAt: null, final: true });
  memoise(draft, context, op, { error });
}
