import type { Op } from "@svc/protocol";
import { type Draft, type DraftContext, failRun, retryLater, stepName } from "../draft.ts";

/** `DiscoveryRequest`: the app asks to be called again. */
export function discoveryRequest(draft: Draft): void {
  draft.discover = true;
}

/** `StepNotFound`: the planned step is not in the app's code (any more); perhaps a deploy is under way. */
export function stepNotFound(draft: Draft, context: DraftContext, op: Op): void {
  const name = context.state.steps.get(op.id)?.name ?? stepName(op);
  const error = {
    name: "StepNotFound",
    message: `The app no longer has the step "${name}" that this run has planned.`,
  };
  if (!retryLater(draft, context, error, { stepId: op.id, retryAt: null })) failRun(draft, error);
}
