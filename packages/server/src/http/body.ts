import type { IncomingMessage } from "node:http";
import { ServiceError } from "../errors.ts";

/** Read a request body of at most `maxBytes`. */
export async function readBody(req: IncomingMessage, options: { maxBytes: number }): Promise<Uint8Array> {
  const encoding = req.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") throw new ServiceError("unsupported_encoding");
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > options.maxBytes) throw new ServiceError("payload_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
