/** stopgap */
import type { ServerResponse } from "node:http";
import { ServiceError } from "../errors.ts";
import type { Logger } from "../observe/log.ts";
export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  res.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  res.end(body);
}
export function sendError(res: ServerResponse, error: unknown, logger: Logger): void {
  const known = error instanceof ServiceError ? error : new ServiceError("internal");
  if (known !== error) logger.error("internal error", { error });
  sendJson(res, known.status, known.toJSON());
}
