/** The HTTP call to an app: keep-alive pools, bounded in time and size. */
import { HEADER, headerName } from "@svc/protocol";
import { Agent, type buildConnector, type Dispatcher, errors } from "undici";
import { MAX_LOGS_LENGTH } from "./log-lines.ts";

export interface AppResponse {
  status: number;
  /** Lower-cased names; a repeated header keeps its first value. */
  headers: Record<string, string | undefined>;
  body: string;
}

export interface AppCaller {
  /**
   * POST a body to an app.
   * @throws Error with a sentence for a person: refused, timed out, aborted; AnswerTooLargeError
   */
  post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<AppResponse>;
  close(): Promise<void>;
}

export interface AppCallerOptions {
  /** Longest a call may take, ms. */
  timeoutMs: number;
  /** Largest answer, bytes; log lines, where the call asks for them, may come on top. */
  maxAnswerBytes: number;
  /** Connections to one origin. */
  connections: number;
  /** Opens connections; may refuse addresses. */
  connect?: buildConnector.connector;
}

const MAX_HEADER_BYTES = 64 * 1024;

const LOGS_HEADER = headerName("svc", HEADER.logs);

/** Make a caller with its own connection pools. */
export function createAppCaller(options: AppCallerOptions): AppCaller {
  const agent = new Agent({
    connections: options.connections,
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 1,
    ...(options.connect === undefined ? {} : { connect: options.connect }),
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    // Most servers close idle connections after 5 s: reuse them only for less than that.
    keepAliveTimeout: 4_000,
  });
  return {
    async post(url, headers, body, signal) {
      const started = performance.now();
      try {
        const { origin, pathname, search } = new URL(url);
        const response = await agent.request({
          origin,
          path: pathname + search,
          method: "POST",
          headers,
          body,
          signal,
        });
        // Undici counts from chunk to chunk, so that an answer which drips could go on for ever.
        const late = setTimeout(
          () => response.body.destroy(new errors.BodyTimeoutError()),
          options.timeoutMs - (performance.now() - started),
        );
        const withLogs = headers[LOGS_HEADER] !== undefined && response.headers[LOGS_HEADER] !== undefined;
        const maxBytes = options.maxAnswerBytes + (withLogs ? MAX_LOGS_LENGTH : 0);
        const text = await readBounded(response, maxBytes).finally(() => clearTimeout(late));
        return unwrapStream(response.statusCode, firstValues(response.headers), text);
      } catch (error) {
        if (error instanceof AnswerTooLargeError) throw error;
        throw new Error(callFailure(error, url, performance.now() - started));
      }
    },
    close: () => agent.destroy(),
  };
}

async function readBounded(response: Dispatcher.ResponseData, maxBytes: number): Promise<string> {
  const declared = Number(response.headers["content-length"] ?? 0);
  if (declared <= maxBytes && declared > 0) return response.body.text();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxBytes) throw new AnswerTooLargeError(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The same call would bring the same answer: there is no use in trying again. */
export class AnswerTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`The answer of the app is larger than ${maxBytes} bytes, the most one may have.`);
  }
}

/** A `201` keeps the connection alive with white space and ends in `{status, headers, body}`, the real answer. */
function unwrapStream(status: number, headers: AppResponse["headers"], body: string): AppResponse {
  if (status !== 201) return { status, headers, body };
  try {
    const last = JSON.parse(body) as { status?: unknown; headers?: unknown; body?: unknown };
    if (typeof last.status !== "number") return { status, headers, body };
    const inner: AppResponse["headers"] = { ...headers };
    for (const [name, value] of Object.entries(last.headers ?? {})) inner[name.toLowerCase()] = String(value);
    const text = typeof last.body === "string" ? last.body : JSON.stringify(last.body ?? null);
    return { status: last.status, headers: inner, body: text };
  } catch {
    return { status, headers, body };
  }
}

function firstValues(headers: Dispatcher.ResponseData["headers"]): AppResponse["headers"] {
  const values: AppResponse["headers"] = {};
  for (const name in headers) {
    const value = headers[name];
    values[name] = Array.isArray(value) ? value[0] : value;
  }
  return values;
}

function callFailure(error: unknown, url: string, tookMs: number): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const where = new URL(url).origin;
  switch (code) {
    case "ECONNREFUSED":
      return `Nothing listens at ${where} (connection refused).`;
    case "ENOTFOUND":
      return `The host of ${where} cannot be found.`;
    case "UND_ERR_CONNECT_TIMEOUT":
      return `${where} did not accept a connection in time.`;
    case "UND_ERR_HEADERS_OVERFLOW":
      return `The headers of the answer of ${where} are larger than ${MAX_HEADER_BYTES} bytes.`;
    case "UND_ERR_HEADERS_TIMEOUT":
    case "UND_ERR_BODY_TIMEOUT":
      return `${where} did not answer within ${Math.round(tookMs)} ms.`;
    case "UND_ERR_SOCKET":
    case "ECONNRESET":
      return `${where} closed the connection before it answered.`;
    default:
      return `The call to ${where} failed: ${message}`;
  }
}
