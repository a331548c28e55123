/** What the service sends when it calls a function, and what the app may answer. */
import type { EventPayload } from "./event.ts";
import type { LogLine } from "./run-logs.ts";

/** `stepId` of a call that is not aimed at one planned step. */
export const WHOLE_FUNCTION = "step";

/** An error as it travels: plain data, no class. */
export interface WireError {
  name: string;
  message: string;
  stack?: string;
  /** Set by an SDK step or function that must not be tried again. */
  noRetry?: boolean;
}

/** The memoised outcome of a step. `null` is a finished sleep (or a wait that timed out). */
export type StepState = { data: unknown } | { error: WireError } | { input: unknown } | EventPayload | null;

/** Body of `POST <function url>`. */
export interface CallRequest {
  version: number;
  event: EventPayload;
  events: EventPayload[];
  /** Memoised steps by their hashed id. */
  steps: Record<string, StepState>;
  use_api: boolean;
  ctx: {
    run_id: string;
    fn_id: string;
    env: string;
    step_id: string;
    /** From 0. */
    attempt: number;
    max_attempts: number;
    request_id: string;
    generation_id: number;
    job_id: string;
    qi_id: string;
    disable_immediate_execution: boolean;
    use_api: boolean;
    /** Hashed step ids in the order in which they finished. */
    stack: { stack: string[]; current: number };
  };
}

/** What a step reports. The service fails a run on an opcode it does not know. */
export const OPCODES = [
  "StepRun",
  "Step",
  "StepError",
  "StepFailed",
  "StepPlanned",
  "Sleep",
  "WaitForEvent",
  "InvokeFunction",
  "WaitForSignal",
  "Gateway",
  "AIGateway",
  "RunComplete",
  "DiscoveryRequest",
  "StepNotFound",
  "DeferAdd",
  "DeferAbort",
] as const;
export type Opcode = (typeof OPCODES)[number];

/** One element of a `206` answer. */
export interface Op {
  /** Hashed step id, 40 hex digits. */
  id: string;
  op: Opcode;
  name?: string;
  displayName?: string;
  opts?: Record<string, unknown> | null;
  data?: unknown;
  error?: WireError;
  userland?: { id: string; index?: number };
  /** Start (`a`) and length (`b`) of the step in nanoseconds since the epoch. */
  timing?: { a: number; b: number };
}

/** Body of `POST /v1/checkpoint/:run_id/async`: steps that finished while the call goes on. */
export interface CheckpointRequest {
  run_id: string;
  fn_id: string;
  qi_id: string;
  request_id?: string;
  generation_id?: number;
  steps: Op[];
  /** Lines written since the last report. */
  logs?: LogLine[];
}
