/** Requests to the serve address of an app: introspection and syncs. Calls of functions are made elsewhere. */
import { type Dialect, HEADER, headerName, signBody } from "@svc/protocol";
import { Agent, request } from "undici";
import { ServiceError } from "../errors.ts";
import { AddressRefusedError, guardedConnector } from "./address-guard.ts";

export interface AppAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** By its headers; null when the answer comes from something that is no SDK. */
  dialect: Dialect | null;
}

export interface AppClient {
  /**
   * Make one request, signed when a key is given, in both dialects.
   * @throws {ServiceError} `sync_failed` with a sentence that says why there is no answer
   */
  send(url: string, message: AppMessage): Promise<AppAnswer>;
  close(): Promise<void>;
}

export interface AppMessage {
  method: "GET" | "PUT";
  body?: string;
  signingKey?: string | undefined;
  /** Ask the app to answer with its registration. */
  inBand?: boolean;
  /** 5,000 if not given. */
  timeoutMs?: number;
}

export interface AppClientOptions {
  allowLinkLocal: boolean;
  serverKind: "dev" | "cloud";
  now: () => number;
}

const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const DIALECTS: Dialect[] = ["svc", "inngest"];

/** A client for apps. `close` ends the requests under way. */
export function createAppClient(options: AppClientOptions): AppClient {
  const dispatcher = new Agent({
    connect: guardedConnector({ allowLinkLocal: options.allowLinkLocal, timeoutMs: TIMEOUT_MS }),
    maxHeaderSize: 64 * 1024,
    // No connection is kept: requests are seconds apart, and one that an ended app has left open misleads.
    pipelining: 0,
  });
  return {
    async send(url, message) {
      const body = message.body ?? "";
      const headers = await requestHeaders(body, message, options);
      const timeoutMs = message.timeoutMs ?? TIMEOUT_MS;
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const answer = await request(url, {
          dispatcher,
          method: message.method,
          headers,
          signal,
          ...(body === "" ? {} : { body }),
        });
        const text = await readBounded(answer.body);
        return {
          status: answer.statusCode,
          headers: answer.headers,
          body: text,
          dialect: dialectOfAnswer(answer.headers),
        };
      } catch (error) {
        throw new ServiceError(
          "sync_failed",
          describeFailure(url, error as NodeJS.ErrnoException, timeoutMs),
          {
            url,
          },
        );
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** Both dialects at once: which one the app speaks is only known from its answer. */
async function requestHeaders(
  body: string,
  message: AppMessage,
  options: AppClientOptions,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = { "user-agent": "svc" };
  if (body !== "") headers["content-type"] = "application/json";
  const { signingKey } = message;
  const signature = signingKey === undefined ? undefined : await signBody(body, signingKey, options.now());
  for (const dialect of DIALECTS) {
    headers[headerName(dialect, HEADER.serverKind)] = options.serverKind;
    if (message.inBand) headers[headerName(dialect, HEADER.syncKind)] = "in_band";
    if (signature !== undefined) headers[headerName(dialect, HEADER.signature)] = signature;
  }
  return headers;
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error("its answer is larger than 4 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Apps in production hide their version from unsigned requests, but not that they are apps. */
function dialectOfAnswer(headers: AppAnswer["headers"]): Dialect | null {
  const names = Object.keys(headers);
  return DIALECTS.find((dialect) => names.some((name) => name.startsWith(`x-${dialect}-`))) ?? null;
}

function describeFailure(url: string, error: NodeJS.ErrnoException, timeoutMs: number): string {
  if (error instanceof AddressRefusedError) return error.message;
  // With several addresses to a name, one failure for each hides behind the first.
  const code = error.code ?? (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code;
  if (code === "ECONNREFUSED")
    return `Nothing listens at ${url}: the connection was refused. Is the app running?`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `The host of ${url} is unknown.`;
  if (error.name === "TimeoutError" || code?.startsWith("UND_ERR_CONNECT_TIMEOUT")) {
    return `The app at ${url} did not answer within ${timeoutMs / 1000} s.`;
  }
  return `The app at ${url} could not be reached: ${error.message}.`;
}
