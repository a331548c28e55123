/** Whatever was thrown, as the plain error that travels to the service. */
import { parseMoment, type WireError } from "@svc/protocol";
import { NonRetriableError, RetryAfterError, SdkError, type SdkErrorCode, SendError } from "./errors.ts";

/** Longer texts only burden the run's record. */
const MAX_STACK = 20_000;
const MAX_MESSAGE = 20_000;

/**
 * Describe a thrown value; never throws itself, whatever the value is (a string, `undefined`, a hostile
 * object).
 * @example toWireError("boom") // { name: "Error", message: "boom" }
 */
export function toWireError(thrown: unknown): WireError {
  try {
    if (thrown instanceof Error) {
      const error: WireError = {
        name: String(thrown.name || "Error"),
        message: String(thrown.message).slice(0, MAX_MESSAGE),
      };
      if (typeof thrown.stack === "string") error.stack = thrown.stack.slice(0, MAX_STACK);
      return error;
    }
    if (typeof thrown === "object" && thrown !== null) {
      const { name, message, stack } = thrown as Record<string, unknown>;
      const error: WireError = {
        name: typeof name === "string" && name ? name : "Error",
        message: (typeof message === "string" ? message : JSON.stringify(thrown)).slice(0, MAX_MESSAGE),
      };
      if (typeof stack === "string") error.stack = stack.slice(0, MAX_STACK);
      return error;
    }
    return { name: "Error", message: String(thrown).slice(0, MAX_MESSAGE) };
  } catch {
    return { name: "Error", message: "A value was thrown that cannot be described." };
  }
}

/** Misuse that the same code would repeat; a missing key, in contrast, can be set while a run waits. */
const PERMANENT: ReadonlySet<SdkErrorCode> = new Set([
  "event_invalid",
  "event_data_invalid",
  "not_serialisable",
  "step_id_missing",
  "step_function_missing",
  "step_nested",
  "sleep_invalid",
]);

/** Whether a thrown value forbids another attempt. */
export function isNonRetriable(thrown: unknown): boolean {
  if (thrown instanceof SdkError) return PERMANENT.has(thrown.code);
  if (thrown instanceof SendError) return thrown.status === 400 || thrown.status === 413;
  return thrown instanceof NonRetriableError;
}

/** The `retry-after` header that a thrown value asks for, if any. */
export function retryAfterOf(thrown: unknown): string | undefined {
  return thrown instanceof RetryAfterError ? thrown.retryAfter : undefined;
}

/** Seconds of a `retry-after` header (seconds or a date); `undefined` when it is neither. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (!header) return undefined;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header);
  const moment = parseMoment(header, now) ?? Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - now) / 1000);
}
