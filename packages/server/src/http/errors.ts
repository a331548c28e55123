/** Answers: JSON values, and the one place where an error becomes one. */
import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { ServiceError } from "../errors.ts";
import type { Logger } from "../observe/log.ts";
import { DISCARD_LIMITS, discardBody } from "./discard.ts";

/**
 * Answer with JSON. Headers set before on `res` are kept.
 * @example sendJson(res, 200, { ids: ["01J…"], status: 200 });
 */
export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  res.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  res.end(text);
}

/**
 * Answer with an error. A ServiceError is sent as it is (`retry_after` also as the header `retry-after`).
 * Anything else is a fault of ours: the client gets `internal` with a `reference`, the log gets the rest.
 *
 * A client that is still sending its body gets the answer at once, and the connection is ended only after the
 * rest has been read and thrown away: closing with unread bytes would reset the connection, and the client
 * might never see why. Never throws, also when the answer has begun or the client is gone.
 */
export function sendError(res: ServerResponse, error: unknown, logger: Logger): void {
  const known = error instanceof ServiceError ? error : internalError(error, res, logger);
  if (res.destroyed || res.writableEnded) return;
  if (res.headersSent) {
    // Half an answer is out: breaking off is the only way left to say that it is not whole.
    res.destroy();
    return;
  }
  if (known.detail.retry_after !== undefined) {
    res.setHeader("retry-after", Math.max(0, Math.ceil(known.detail.retry_after)));
  }
  // RFC 9110, 15.5.16: what a 415 should say about encodings.
  if (known.code === "unsupported_encoding" && Array.isArray(known.detail.supported)) {
    res.setHeader("accept-encoding", known.detail.supported.join(", "));
  }
  const req = res.req;
  if (req.readableEnded || !announcesBody(req.headers)) {
    sendJson(res, known.status, known);
    return;
  }
  if (Number(req.headers["content-length"]) > DISCARD_LIMITS.bytes) res.setHeader("connection", "close");
  const text = JSON.stringify(known);
  res.writeHead(known.status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  res.write(text);
  discardBody(req).then((whole) => {
    if (whole) res.end();
    else req.destroy();
  });
}

function announcesBody(headers: IncomingHttpHeaders): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Log an unexpected error under a reference. Not the address: it may hold a key. */
function internalError(error: unknown, res: ServerResponse, logger: Logger): ServiceError {
  const reference = randomBytes(8).toString("hex");
  logger.error("A request failed unexpectedly", {
    reference,
    method: res.req.method,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return new ServiceError("internal", undefined, { reference });
}
