/** Between `node:http` objects and the neutral handler; for `node:http` itself and what builds on it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { SdkError } from "../errors.ts";
import { type AppHandler, type AppResponse, adapterRefusal, MAX_BODY_BYTES } from "./handler.ts";

/** What frameworks on `node:http` add to a request. */
export type NodeRequest = IncomingMessage & {
  /** Set by a body parser that has already read the stream. */
  body?: unknown;
  /** Path before a router cut its prefix off. */
  originalUrl?: string;
};

/** Handle a request and write its response. Never rejects. */
export async function handleNodeRequest(
  handler: AppHandler,
  req: NodeRequest,
  res: ServerResponse,
): Promise<void> {
  try {
    const body = parsedBody(req) ?? (await readBody(req));
    const response = await handler({
      method: req.method ?? "GET",
      url: requestUrl(req),
      headers: req.headers,
      body,
    });
    respond(res, response);
  } catch (error) {
    if (res.headersSent) return;
    respond(res, adapterRefusal(error instanceof SdkError ? error.code : "body_invalid"));
  }
}

/** Write a neutral response. */
export function respond(res: ServerResponse, response: AppResponse): void {
  res.writeHead(response.status, { ...response.headers, "content-length": Buffer.byteLength(response.body) });
  res.end(response.body);
}

function parsedBody(req: NodeRequest): string | object | undefined {
  if (typeof req.body === "string") return req.body;
  if (req.body instanceof Uint8Array) return Buffer.from(req.body).toString("utf8");
  // A parser that found no body leaves an empty object, and then GET and PUT sign an empty text.
  if (typeof req.body !== "object" || req.body === null) return undefined;
  return Object.keys(req.body).length === 0 ? "" : req.body;
}

function readBody(req: IncomingMessage): Promise<string> {
  // A middleware that has read the stream and kept nothing leaves no event to wait for.
  if (req.method === "GET" || req.readableEnded || req.destroyed) return Promise.resolve("");
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else {
        req.pause();
        reject(new SdkError("body_too_large"));
      }
    });
    req.on("end", () => resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString("utf8")));
    req.on("error", reject);
    req.on("close", () => reject(new SdkError("body_invalid", "The request ended before its body did.")));
  });
}

/** Absolute URL of a request, as its sender sees it. A proxy in front tells scheme and host. */
export function requestUrl(req: NodeRequest): string {
  const encrypted = (req.socket as { encrypted?: boolean }).encrypted === true;
  const scheme = first(req.headers["x-forwarded-proto"]) ?? (encrypted ? "https" : "http");
  const host = first(req.headers["x-forwarded-host"]) ?? req.headers.host ?? "localhost";
  const path = req.originalUrl ?? req.url ?? "/";
  const origin = `${scheme === "https" ? "https" : "http"}://${host}`;
  return URL.canParse(path, origin) ? new URL(path, origin).href : "http://localhost/";
}

function first(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.split(",", 1)[0]?.trim() || undefined;
}
