/** Reading a request's body: bounded, decoded, and without the stream machinery on the common path. */
import type { IncomingMessage } from "node:http";
import { ServiceError } from "../errors.ts";
import { bodyTooLarge, decode, encodingsOf } from "./content-encoding.ts";

export interface BodyOptions {
  /** Most bytes after decoding. */
  maxBytes: number;
  /** Longest the whole body may take to arrive, ms; no bound of its own unless given. */
  timeoutMs?: number;
}

/** What an encoded body may be larger than its decoded limit: framing of data that does not compress. */
const ENCODED_SLACK = 64 * 1024;

/**
 * The body of a request, decoded. The bytes are the caller's own: they are not reused.
 *
 * After a refusal the request is left paused, with the rest of its body unread; `sendError` answers it in a way
 * that lets the client read the answer.
 * @throws ServiceError `payload_too_large` (with `limit`, bytes), `unsupported_encoding` (with `supported`),
 * `invalid_json` (encoded data is corrupt), `request_timeout`, `invalid_request` (the client went away)
 * @example const body = await readBody(req, { maxBytes: 512 * 1024 });
 */
export function readBody(req: IncomingMessage, options: BodyOptions): Promise<Uint8Array> {
  const { maxBytes } = options;
  let encodings: ReturnType<typeof encodingsOf>;
  try {
    encodings = encodingsOf(req.headers["content-encoding"]);
  } catch (error) {
    return Promise.reject(error);
  }
  if (encodings.length === 0) return receive(req, maxBytes, maxBytes, options.timeoutMs);
  return receive(req, maxBytes + ENCODED_SLACK, maxBytes, options.timeoutMs).then((bytes) =>
    decode(bytes, encodings, maxBytes, maxBytes + ENCODED_SLACK),
  );
}

/** The bytes as they come off the wire, at most `most` of them; `limit` is what the error names. */
function receive(
  req: IncomingMessage,
  most: number,
  limit: number,
  timeoutMs: number | undefined,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const announced = req.headers["content-length"];
    if (announced !== undefined && Number(announced) > most) return reject(bodyTooLarge(limit));

    let first: Buffer | undefined;
    let chunks: Buffer[] | undefined;
    let size = 0;
    let timer: NodeJS.Timeout | undefined;
    let settled = false;

    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > most) refuse(bodyTooLarge(limit));
      else if (first === undefined) first = chunk;
      else if (chunks === undefined) chunks = [first, chunk];
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      settled = true;
      clearTimeout(timer);
      // A single chunk, the rule for events, is handed on as it came.
      resolve(chunks === undefined ? (first ?? new Uint8Array(0)) : Buffer.concat(chunks, size));
    };
    // "close" without "end" before it: the client went away, or the server closed the connection.
    const onClose = (): void => {
      // Every request closes in the end, and an error takes its time to make: 2% of all that an event costs here.
      if (settled) return;
      refuse(new ServiceError("invalid_request", "The request ended before its body was complete."));
    };
    const refuse = (error: ServiceError): void => {
      // Also "close" after "end": the listeners stay, taking off four a request is dearer than asking here.
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      req.off("data", onData);
      req.off("end", onEnd);
      // Nothing more is read until the answer is written.
      req.pause();
      reject(error);
    };

    if (req.destroyed) return onClose();
    if (timeoutMs !== undefined) {
      timer = setTimeout(() => {
        refuse(new ServiceError("request_timeout", `The body did not arrive within ${timeoutMs} ms.`));
      }, timeoutMs);
    }
    req.on("data", onData);
    req.on("end", onEnd);
    req.on("close", onClose);
    req.on("error", onClose);
  });
}
