import { longerThan } from "../text-size.ts";
import { type Draft, type DraftContext, failRun, limitError } from "./draft.ts";

/** End the run with its output, if that is within bounds. */
export function completeRun(draft: Draft, context: DraftContext, output: string): void {
  const { outputBytes } = context.limits;
  if (longerThan(output, outputBytes)) {
    failRun(
      draft,
      limitError(
        `The output of this run is ${Buffer.byteLength(output)} bytes; the limit is ${outputBytes}.`,
      ),
    );
    return;
  }
  draft.end = { status: "completed", output, error: null };
}
