/** What a call of a transform comes to. */

export interface TransformJob {
  /** Whose code it is: webhooks are scheduled fairly against each other. */
  webhookId: string;
  /** Changes whenever the source does. */
  version: number;
  /** JavaScript or TypeScript, at most 256 KiB. */
  source: string;
  /** JSON texts; at most 8 MiB each. */
  evt: string;
  headers: string;
  queryParams: string;
  /** The body as it came. */
  raw: string;
}

export interface LogLine {
  level: "log" | "info" | "warn" | "error" | "debug";
  text: string;
}

/**
 * - `syntax`: no valid code, or no function called transform in it
 * - `runtime`: the code threw
 * - `timeout`, `memory`: it took more than it may
 * - `result`: it returned what is not JSON, or too much of it, or a promise that nothing will resolve
 * - `throttled`: it was not called, because its last calls all ran out of time or memory
 * - `too_large`: it was not called, because its input is larger than the sandbox takes
 * - `crashed`: the engine or its thread broke down under it
 */
export type TransformErrorKind =
  | "syntax"
  | "runtime"
  | "timeout"
  | "memory"
  | "result"
  | "throttled"
  | "too_large"
  | "crashed";

export interface TransformError {
  kind: TransformErrorKind;
  name: string;
  /** At most 2,000 characters. */
  message: string;
  /** From 1, in the source as its author wrote it; null where there is no place to name. */
  line: number | null;
  column: number | null;
  /** Frames of the author's code, innermost first, at most 10: `at name (transform.js:3:5)`. */
  stack?: string;
}

export type TransformOutcome =
  | {
      status: "returned";
      /** JSON text of what transform returned; null when it returned null or nothing. */
      value: string | null;
      logs: LogLine[];
      durationMs: number;
    }
  | { status: "failed"; error: TransformError; logs: LogLine[]; durationMs: number };

/** An error that has no place in the code. */
export function placeless(kind: TransformErrorKind, name: string, message: string): TransformError {
  return { kind, name, message, line: null, column: null };
}
