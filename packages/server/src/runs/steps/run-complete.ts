import type { Op } from "@svc/protocol";
import { completeRun } from "../complete-run.ts";
import type { Draft, DraftContext } from "../draft.ts";

/** `RunComplete`: the function has returned. */
export function runComplete(draft: Draft, context: DraftContext, op: Op): void {
  completeRun(draft, context, JSON.stringify(op.data ?? null));
}
