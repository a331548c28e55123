/** How answers leave: JSON bodies, and errors in the one shape they all have. */
import type { ServerResponse } from "node:http";
import { ServiceError } from "../errors.ts";
import type { Logger } from "../observe/log.ts";

/** Answer with JSON. */
export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  res.writeHead(status, { "content-type": "application/json", "content-length": body.length });
  res.end(body);
}

/**
 * Answer with an error. Only a `ServiceError` speaks to the client; anything else is logged and becomes `internal`.
 * An answer that has begun cannot be taken back: its connection is cut.
 */
export function sendError(res: ServerResponse, error: unknown, logger: Logger): void {
  let known: ServiceError;
  if (error instanceof ServiceError) known = error;
  else {
    logger.error("request failed", { error });
    known = new ServiceError("internal");
  }
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { retry_after } = known.detail;
  if (retry_after !== undefined) res.setHeader("retry-after", String(retry_after));
  sendJson(res, known.status, known.toJSON());
}
