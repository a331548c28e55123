import type { Op } from "@svc/protocol";
import { type Draft, type DraftContext, planStep } from "../draft.ts";

/** `StepPlanned`: one of several parallel steps; call the app for just this one. */
export function stepPlanned(draft: Draft, context: DraftContext, op: Op): void {
  const racing = op.opts?.parallelMode === "race";
  planStep(draft, context, op, { status: "planned", dueAt: context.now, racing });
}
