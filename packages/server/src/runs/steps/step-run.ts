import type { Op } from "@svc/protocol";
import { type Draft, type DraftContext, memoise } from "../draft.ts";

/** `StepRun`, `Step`: a step has run; keep its output. */
export function stepRun(draft: Draft, context: DraftContext, op: Op): void {
  memoise(draft, context, op, { output: JSON.stringify(op.data ?? null) });
}
