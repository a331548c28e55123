/** What an app's answer means. */
import type { Op, WireError } from "@svc/protocol";
import { AnswerTooLargeError, type AppResponse } from "./call-app.ts";
import { limitError } from "./draft.ts";
import { wireError } from "./wire-error.ts";

export type Answer =
  | { kind: "done"; output: string; requestVersion: number | null }
  | { kind: "ops"; ops: Op[]; requestVersion: number | null; retryAt: number | null }
  | {
      kind: "error";
      error: WireError;
      retriable: boolean;
      /** When the app asked to be tried again, ms since the epoch. */
      retryAt: number | null;
      requestVersion: number | null;
    };

/** Read an answer. Never throws: what is not an SDK's answer is an error that may be tried again. */
export function readAnswer(response: AppResponse, now: number): Answer {
  const { status, headers, body } = response;
  const header = (name: string) => headers[`x-svc-${name}`] ?? headers[`x-inngest-${name}`];
  if (header("sdk") === undefined) return notAnSdk(`status ${status}`, body);
  const version = Number(header("req-version"));
  const requestVersion = Number.isSafeInteger(version) ? version : null;
  const retryAt = readRetryAfter(headers["retry-after"], now);

  if (status === 200) {
    if (body.trim() === "") return { kind: "done", output: "null", requestVersion };
    return isJson(body)
      ? { kind: "done", output: body, requestVersion }
      : notAnSdk("a body that is not JSON", body);
  }
  if (status === 206) {
    const ops = parseJson(body);
    if (!Array.isArray(ops) || !ops.every(isOp)) return notAnSdk("a 206 without a list of steps", body);
    return { kind: "ops", ops, requestVersion, retryAt };
  }
  if (status >= 400) {
    const noRetry = header("no-retry");
    const value = parseJson(body);
    return {
      kind: "error",
      error: wireError(value === undefined ? body : value),
      retriable: noRetry === undefined ? status !== 400 : noRetry !== "true",
      retryAt,
      requestVersion,
    };
  }
  return notAnSdk(`status ${status}`, body);
}

/** What became of a call that brought no answer. */
export function noAnswer(error: Error): Answer {
  if (!(error instanceof AnswerTooLargeError)) return notAnSdk(error.message, "");
  const { message } = error;
  return {
    kind: "error",
    error: limitError(message),
    retriable: false,
    retryAt: null,
    requestVersion: null,
  };
}

/** An error that quotes what came instead of an SDK's answer. */
export function notAnSdk(what: string, body: string): Answer {
  const quote = body.length > 0 ? `: ${body.slice(0, 200)}` : "";
  return {
    kind: "error",
    error: { name: "NotAnSdkAnswer", message: `The app did not answer as an SDK does (${what})${quote}` },
    retriable: true,
    retryAt: null,
    requestVersion: null,
  };
}

/** `retry-after` in seconds or as a date, as a moment; null when absent, unreadable or over a year away. */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const moment = /^\d+(\.\d+)?$/.test(value.trim()) ? now + Number(value) * 1000 : Date.parse(value);
  if (Number.isNaN(moment) || moment > now + 366 * 86_400_000) return null;
  return Math.max(Math.ceil(moment), now);
}

function isOp(value: unknown): value is Op {
  if (typeof value !== "object" || value === null) return false;
  const { id, op, opts, timing } = value as Record<string, unknown>;
  return (
    typeof id === "string" &&
    id.length > 0 &&
    id.length <= 256 &&
    typeof op === "string" &&
    (opts === undefined || typeof opts === "object") &&
    (timing === undefined || isTiming(timing))
  );
}

function isTiming(value: unknown): boolean {
  const { a, b } = (value ?? {}) as Record<string, unknown>;
  return Number.isFinite(a) && Number.isFinite(b);
}

/** The steps of a checkpoint, held to the same form as those of an answer. */
export function areOps(value: unknown): value is Op[] {
  return Array.isArray(value) && value.every(isOp);
}

function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
