/**
 * HTTP requests to the service. On Node they go through `node:http` with a keep-alive pool, elsewhere (or when
 * the user gave or replaced `fetch`) through `fetch`: measured per checkpoint on Node 26, `node:http` takes 50 µs
 * of processor time and `fetch` 200 µs, and checkpoints are what steps cost.
 */
import type { Agent, ClientRequestArgs, IncomingMessage } from "node:http";
import { SdkError } from "./errors.ts";

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface HttpRequest {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** An answer, read to its end. */
export interface HttpAnswer {
  status: number;
  ok: boolean;
  text: string;
  retryAfter: string | null;
}

/** Rejects when no answer came. */
export type Transport = (request: HttpRequest) => Promise<HttpAnswer>;

/** No request of the SDK to the service may hang a call for ever. */
const TIMEOUT_MS = 30_000;

interface NodeProcess {
  versions?: Record<string, string | undefined>;
  getBuiltinModule?(name: "node:http" | "node:https"): NodeHttp | undefined;
}

type NodeHttp = typeof import("node:http");

const nativeFetch = globalThis.fetch;
const node = (globalThis as { process?: NodeProcess }).process;
// Bun and Deno offer node:http too, but their own fetch is the better one.
const isNode = !!node?.versions?.node && !node.versions.bun && !node.versions.deno;
const modules = isNode
  ? { http: node?.getBuiltinModule?.("node:http"), https: node?.getBuiltinModule?.("node:https") }
  : {};
const agents = new Map<string, Agent>();
const staleConnection = new WeakSet<Error>();

/** The transport of a client: its own `fetch` if one was given, or else the fastest there is. */
export function createTransport(fetch: Fetch | undefined): Transport {
  return (request) => {
    if (fetch) return viaFetch(fetch, request);
    // A replaced global one (by a test, a tracer) wants to see the requests.
    const http = request.url.startsWith("https:") ? modules.https : modules.http;
    if (http && globalThis.fetch === nativeFetch) return viaNode(http, request);
    if (typeof globalThis.fetch !== "function") return Promise.reject(new SdkError("fetch_missing"));
    return viaFetch(globalThis.fetch, request);
  };
}

async function viaFetch(fetch: Fetch, request: HttpRequest): Promise<HttpAnswer> {
  const { method, url, headers, body } = request;
  const init: RequestInit = { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS) };
  if (body !== undefined) init.body = body;
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, ok: response.ok, text, retryAfter: response.headers.get("retry-after") };
}

async function viaNode(http: NodeHttp, request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await nodeRequest(http, request);
  } catch (error) {
    // The service closed a kept connection just as it was used again. Every request here can be repeated.
    if (staleConnection.has(error as Error)) return nodeRequest(http, request);
    throw error;
  }
}

function nodeRequest(http: NodeHttp, { method, url, headers, body }: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const options: ClientRequestArgs = {
      method,
      headers: { ...headers },
      agent: agentOf(http, url),
      timeout: TIMEOUT_MS,
    };
    if (body !== undefined)
      Object.assign(options.headers as object, { "content-length": Buffer.byteLength(body) });
    const outgoing = http.request(url, options, (answer: IncomingMessage) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const status = answer.statusCode ?? 0;
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({
          status,
          ok: status >= 200 && status < 300,
          text,
          retryAfter: answer.headers["retry-after"] ?? null,
        });
      });
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    outgoing.on("error", (error: Error & { code?: string }) => {
      if (outgoing.reusedSocket && error.code === "ECONNRESET") staleConnection.add(error);
      reject(error);
    });
    outgoing.end(body);
  });
}

/** One pool per scheme. Idle connections do not keep the process alive. */
function agentOf(http: NodeHttp, url: string): Agent {
  const scheme = url.slice(0, 6);
  const agent = agents.get(scheme) ?? new http.Agent({ keepAlive: true });
  agents.set(scheme, agent);
  return agent;
}

/** Why no answer came. fetch hides the reason in `cause`, and a name with several addresses has a code only. */
export function unreachable(url: string, error: unknown): string {
  // A path may hold an event key; only the origin is named.
  return `The service at ${new URL(url).origin} could not be reached: ${reasonOf(error)}`;
}

function reasonOf(error: unknown): string {
  const { message, code, cause } = (error ?? {}) as { message?: string; code?: string; cause?: unknown };
  return cause ? reasonOf(cause) : message || code || String(error);
}
