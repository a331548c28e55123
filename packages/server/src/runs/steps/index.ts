/** One handler for each opcode. */
import { OPCODES, type Op, type Opcode } from "@svc/protocol";
import { type Draft, type DraftContext, failRun, stepName } from "../draft.ts";
import { discoveryRequest, stepNotFound } from "./discovery.ts";
import { runComplete } from "./run-complete.ts";
import { sleep } from "./sleep.ts";
import { stepError, stepFailed } from "./step-error.ts";
import { stepPlanned } from "./step-planned.ts";
import { stepRun } from "./step-run.ts";

/** `retryAt`: when the app asked to be tried again (`retry-after`), if it did. */
type OpHandler = (draft: Draft, context: DraftContext, op: Op, retryAt: number | null) => void;

const handlers: Partial<Record<Opcode, OpHandler>> = {
  StepRun: stepRun,
  Step: stepRun,
  StepError: stepError,
  StepFailed: stepFailed,
  StepPlanned: stepPlanned,
  Sleep: sleep,
  RunComplete: runComplete,
  DiscoveryRequest: discoveryRequest,
  StepNotFound: stepNotFound,
};

/** Ops that may be reported while the call goes on. */
export const CHECKPOINT_OPCODES: ReadonlySet<string> = new Set(["StepRun", "Step", "StepFailed"]);

/** Bring one op into the draft. An opcode without a handler fails the run with its name. */
export function applyOp(draft: Draft, context: DraftContext, op: Op, retryAt: number | null): void {
  // Not what every object has: an app may name its opcode `hasOwnProperty`.
  const handler = Object.hasOwn(handlers, op.op) ? handlers[op.op] : undefined;
  if (handler !== undefined) {
    handler(draft, context, op, retryAt);
    return;
  }
  const known = OPCODES.includes(op.op);
  failRun(draft, {
    name: "UnsupportedOpcode",
    message: known
      ? `Step "${stepName(op)}" uses ${op.op}, which this release of the service does not run yet.`
      : `The app answered with the opcode ${JSON.stringify(op.op)}, which the service does not know.`,
  });
}
