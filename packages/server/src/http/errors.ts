/** Answers: JSON bodies, and every error as the one error body. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { ServiceError } from "../errors.ts";
import type { Logger } from "../observe/log.ts";

/** Send a JSON body. Headers set before stay. */
export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  res.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  res.end(body);
}

/**
 * Answer with an error. What is not a ServiceError is logged under a reference that the answer carries; nothing else of
 * it gets out.
 */
export function sendError(res: ServerResponse, error: unknown, logger: Logger): void {
  const known = error instanceof ServiceError ? error : internal(error, logger);
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  const retryAfter = known.detail.retry_after;
  if (retryAfter !== undefined) res.setHeader("retry-after", String(Math.ceil(retryAfter)));
  sendJson(res, known.status, known);
}

function internal(error: unknown, logger: Logger): ServiceError {
  const reference = randomUUID();
  logger.error("a request failed unexpectedly", { reference, error });
  return new ServiceError("internal", undefined, { reference });
}
