/** stopgap */
import type { IncomingMessage } from "node:http";
import { ServiceError } from "../errors.ts";
export function readBody(req: IncomingMessage, options: { maxBytes: number }): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > options.maxBytes) reject(new ServiceError("payload_too_large"));
      else chunks.push(chunk);
    });
    req.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    req.on("error", reject);
  });
}
