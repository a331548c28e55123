/** Reads what came of a transform: events, nothing, or an error that says why. */
import { ServiceError } from "../errors.ts";
import type { IncomingEvent } from "../ingest/validate.ts";
import { eventsOfResult } from "./event-result.ts";
import type { LogLine, TransformOutcome } from "./sandbox/outcome.ts";

/** A result may hold the body twice (as data and as `raw`), and escaped at that. */
const MAX_RESULT_BYTES = 2 * 1024 * 1024;

/** Why a request became no event, as it is kept and shown. */
export interface RequestError {
  /** `syntax`, `runtime`, `timeout` … of the sandbox; `invalid_event`, `event_filter`, `environment` of the service. */
  kind: string;
  message: string;
  /** In the source of the transform, from 1. */
  line?: number | null;
  column?: number | null;
  stack?: string;
}

export interface Interpreted {
  /** Empty when the transform failed, or ignored the request. */
  events: IncomingEvent[];
  /** What it returned, as JSON text. */
  value: string | null;
  /** Null when it ran and its result can be used. */
  error: RequestError | null;
  logs: LogLine[];
  durationMs: number;
}

/**
 * @param now the `ts` of events without one, ms since the epoch
 * @param remark what its author should know of the body
 */
export function interpret(outcome: TransformOutcome, now: number, remark: string | undefined): Interpreted {
  const { durationMs } = outcome;
  const logs: LogLine[] =
    remark === undefined ? outcome.logs : [{ level: "warn", text: remark }, ...outcome.logs];
  const nothing = { events: [], value: null, error: null, logs, durationMs };
  if (outcome.status === "failed") {
    const { kind, name, message, line, column, stack } = outcome.error;
    const named = kind === "runtime" && name !== "Error" && name !== "";
    const error: RequestError = { kind, message: named ? `${name}: ${message}` : message, line, column };
    return { ...nothing, error: stack === undefined ? error : { ...error, stack } };
  }
  const { value } = outcome;
  if (value === null) return nothing;
  try {
    return { ...nothing, value, events: readEvents(value, now) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { ...nothing, error: { kind: error.code, message: error.message } };
  }
}

/** The events of a result that was kept as JSON text. @throws ServiceError `invalid_event` */
export function readEvents(value: string, now: number): IncomingEvent[] {
  return eventsOfResult(value, { now, maxBytes: MAX_RESULT_BYTES });
}
