/** The form that every operation of an app must have, whether it comes with an answer or with a checkpoint. */
import type { Op } from "@svc/protocol";

/** Operations of one answer or checkpoint; far more than the steps a run may have by default. */
const MAX_OPS = 10_000;
/** Ids are hashes. They go into headers and addresses of calls, so nothing but visible ASCII is taken. */
const STEP_ID = /^[\x21-\x7e]{1,256}$/;
const MAX_OPCODE_LENGTH = 64;

export type ReadOps = { ops: Op[] } | { fault: string };

/** The value as operations, or what is wrong with it, as the end of a sentence. */
export function readOps(value: unknown): ReadOps {
  if (!Array.isArray(value)) return { fault: "it is not a list of steps" };
  if (value.length > MAX_OPS) {
    return { fault: `it has ${value.length} operations, and ${MAX_OPS} is the most there may be` };
  }
  for (const [index, op] of value.entries()) {
    const fault = faultOf(op);
    if (fault !== undefined) return { fault: `it is not a list of steps: operation ${index} ${fault}` };
  }
  return { ops: value as Op[] };
}

function faultOf(value: unknown): string | undefined {
  if (!isObject(value)) return "is not an object";
  const { id, op, name, displayName, opts, userland, timing } = value;
  if (!isStepId(id)) {
    return "has an `id` that is not 1 to 256 visible ASCII characters";
  }
  if (typeof op !== "string" || op.length > MAX_OPCODE_LENGTH) {
    return `has an opcode (\`op\`) that is not a text of at most ${MAX_OPCODE_LENGTH} characters`;
  }
  if (!isTextOrAbsent(name)) return "has a `name` that is not a text";
  if (!isTextOrAbsent(displayName)) return "has a `displayName` that is not a text";
  if (opts != null && !isObject(opts)) return "has `opts` that are not an object";
  if (userland != null && !(isObject(userland) && isTextOrAbsent(userland.id))) {
    return "has a `userland` that is not an object with the step's id";
  }
  if (timing !== undefined && !isTiming(timing)) return "has a `timing` that is not two numbers";
  return undefined;
}

/** Whether a value can be the hash of a step. */
export function isStepId(value: unknown): value is string {
  return typeof value === "string" && STEP_ID.test(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextOrAbsent(value: unknown): boolean {
  return value == null || typeof value === "string";
}

function isTiming(value: unknown): boolean {
  return isObject(value) && Number.isFinite(value.a) && Number.isFinite(value.b);
}
