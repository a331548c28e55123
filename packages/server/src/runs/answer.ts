/** What an app's answer means. */
import {
  type Dialect,
  HEADER,
  headerName,
  type LogLine,
  type Op,
  unwrapAnswer,
  type WireError,
} from "@svc/protocol";
import { isDeeperThan, MAX_JSON_DEPTH } from "../nesting.ts";
import { longerThan } from "../text-size.ts";
import { AnswerTooLargeError, type AppResponse } from "./call-app.ts";
import { limitError, MAX_ANSWER_BYTES } from "./draft.ts";
import { parseLogLines } from "./log-lines.ts";
import { readOps } from "./ops.ts";
import { wireError } from "./wire-error.ts";

export type Answer = { logs?: readonly LogLine[] } & (
  | { kind: "done"; output: string; requestVersion: number | null }
  | { kind: "ops"; ops: Op[]; requestVersion: number | null; retryAt: number | null }
  | {
      kind: "error";
      error: WireError;
      retriable: boolean;
      /** When the app asked to be tried again, ms since the epoch. */
      retryAt: number | null;
      requestVersion: number | null;
    }
);

/** On an answer: it is an envelope with log lines. */
const LOGS_HEADER = headerName("svc", HEADER.logs);
const SDK_HEADER = headerName("svc", HEADER.sdk);

/**
 * Read an answer. Never throws: what is not an SDK's answer is an error that may be tried again.
 * @param dialect of the call; only in our own one an answer may come with log lines
 */
export function readAnswer(response: AppResponse, now: number, dialect: Dialect): Answer {
  const { headers } = response;
  if (dialect !== "svc" || headers[LOGS_HEADER] === undefined || headers[SDK_HEADER] === undefined) {
    return readPlain(response, now);
  }
  const opened = unwrapAnswer(response.body);
  if (opened === null) return notAnSdk(`its header ${LOGS_HEADER} does not fit its body`, response.body);
  const logs = parseLogLines(opened.logs, now);
  // The lines come on top of what an answer may have.
  if (longerThan(opened.answer, MAX_ANSWER_BYTES)) {
    return { ...noAnswer(new AnswerTooLargeError(MAX_ANSWER_BYTES)), logs };
  }
  return { ...readPlain({ ...response, body: opened.answer }, now), logs };
}

/** Read an answer that comes alone. */
function readPlain(response: AppResponse, now: number): Answer {
  const { status, headers, body } = response;
  const header = (name: string) => headers[`x-svc-${name}`] ?? headers[`x-inngest-${name}`];
  if (header("sdk") === undefined) return notAnSdk(`status ${status}`, body);
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "" && encoding !== "identity") {
    return notAnSdk(`it is encoded with ${encoding.slice(0, 40)}, which the call did not ask for`, "");
  }
  const version = Number(header("req-version"));
  const requestVersion = Number.isSafeInteger(version) ? version : null;
  const retryAt = readRetryAfter(headers["retry-after"], now);

  if (status === 200) {
    if (body.trim() === "") return { kind: "done", output: "null", requestVersion };
    const value = parseJson(body);
    if (value === undefined) return notAnSdk("a body that is not JSON", body);
    if (isTooDeep(body, value)) return tooDeep();
    return { kind: "done", output: body, requestVersion };
  }
  if (status === 206) {
    const value = parseJson(body);
    if (isTooDeep(body, value)) return tooDeep();
    const read = readOps(value);
    if ("fault" in read) return notAnSdk(`status 206, but ${read.fault}`, body);
    return { kind: "ops", ops: read.ops, requestVersion, retryAt };
  }
  if (status >= 400) {
    const noRetry = header("no-retry");
    const value = parseJson(body);
    if (isTooDeep(body, value)) return tooDeep();
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

/** Depth costs at least two characters a level, so that most answers need no second look. */
function isTooDeep(body: string, value: unknown): boolean {
  return body.length > 2 * MAX_JSON_DEPTH && isDeeperThan(value, MAX_JSON_DEPTH);
}

function tooDeep(): Answer {
  return notAnSdk(`its body nests deeper than ${MAX_JSON_DEPTH} levels`, "");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
