/** Cross-origin access: which answers a page of another origin may read, and the preflights it asks first. */
import type { IncomingMessage, ServerResponse } from "node:http";

export interface CorsOptions {
  /** Also answer Private Network Access preflights, so that a page from the internet may reach this machine. */
  privateNetwork: boolean;
}

/** How long a browser may remember a preflight, seconds: two hours, the most that Chromium takes. */
const PREFLIGHT_MAX_AGE_S = "7200";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";

/**
 * Open an answer to pages of every origin, and answer the request if it is a preflight. Credentials are never
 * allowed, so a page gets no further than anybody with an HTTP client.
 * @returns whether the request was a preflight and has been answered
 * @example if (handleCors(req, res, { privateNetwork: config.mode === "dev" })) return true;
 */
export function handleCors(req: IncomingMessage, res: ServerResponse, options: CorsOptions): boolean {
  // A same-origin request or a program: nothing to allow.
  if (req.headers.origin === undefined) return false;
  res.setHeader("access-control-allow-origin", "*");
  if (req.method !== "OPTIONS" || req.headers["access-control-request-method"] === undefined) {
    res.setHeader("access-control-expose-headers", "x-request-id, retry-after");
    return false;
  }
  res.setHeader("access-control-allow-methods", METHODS);
  // Named one by one: `*` would leave out `authorization`.
  const asked = req.headers["access-control-request-headers"];
  if (asked !== undefined && asked !== "") res.setHeader("access-control-allow-headers", asked);
  res.setHeader("access-control-max-age", PREFLIGHT_MAX_AGE_S);
  res.setHeader(
    "vary",
    "access-control-request-method, access-control-request-headers, access-control-request-private-network",
  );
  if (options.privateNetwork && req.headers["access-control-request-private-network"] === "true") {
    res.setHeader("access-control-allow-private-network", "true");
  }
  res.statusCode = 204;
  res.end();
  return true;
}
