/** Reading request bodies: bounded in decoded bytes and in time, compressed or not. */
import type { IncomingMessage } from "node:http";
import { Transform, type TransformCallback } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { ServiceError } from "../errors.ts";

export interface BodyOptions {
  /** Largest body, decoded bytes. */
  maxBytes: number;
}

/** Encodings that may be stacked on each other; nobody needs more. */
const MAX_ENCODINGS = 2;

/**
 * Read the body of a request.
 * @throws ServiceError `payload_too_large` as soon as the bound is passed, `unsupported_encoding`, `invalid_request`
 *   when it cannot be decoded or was broken off
 */
export async function readBody(req: IncomingMessage, options: BodyOptions): Promise<Uint8Array> {
  const encoding = req.headers["content-encoding"];
  const decoders = encoding === undefined ? NONE : decodersOf(encoding);
  const { maxBytes } = options;
  if (decoders.length === 0 && Number(req.headers["content-length"]) > maxBytes) {
    discard(req);
    throw tooLarge(maxBytes);
  }
  return decoders.length === 0 ? readPlain(req, maxBytes) : readEncoded(req, decoders, maxBytes);
}

const NONE: (() => Transform)[] = [];

/** The fast path: no stream machinery, no copy when the body comes in one piece, as most do. */
function readPlain(req: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined;
    let chunks: Buffer[] | undefined;
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        discard(req);
        reject(tooLarge(maxBytes));
      } else if (first === undefined) first = chunk;
      else {
        chunks ??= [first];
        chunks.push(chunk);
      }
    });
    req.on("end", () => resolve(chunks === undefined ? (first ?? EMPTY) : Buffer.concat(chunks, size)));
    req.on("error", () => reject(brokenOff()));
    req.on("close", () => {
      if (!req.complete) reject(brokenOff());
    });
  });
}

const EMPTY = Buffer.alloc(0);

async function readEncoded(
  req: IncomingMessage,
  decoders: (() => Transform)[],
  maxBytes: number,
): Promise<Uint8Array> {
  const stages = decoders.map((create) => create());
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (error: ServiceError) => {
      req.unpipe();
      discard(req);
      for (const stage of stages) stage.destroy();
      reject(error);
    };
    for (const stage of stages) {
      stage.on("error", () =>
        stop(new ServiceError("invalid_request", "The body is not encoded as content-encoding says.")),
      );
    }
    const last = stages.reduce<NodeJS.ReadableStream>((from, to) => from.pipe(to), req);
    last.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) stop(tooLarge(maxBytes));
      else chunks.push(chunk);
    });
    last.on("end", () => resolve(Buffer.concat(chunks, size)));
    req.on("error", () => stop(brokenOff()));
    req.on("close", () => {
      if (!req.complete) stop(brokenOff());
    });
  });
}

const DECODERS: Record<string, () => Transform> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => new AnyInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

function decodersOf(header: string): (() => Transform)[] {
  const names = header
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > MAX_ENCODINGS || names.some((name) => !Object.hasOwn(DECODERS, name))) {
    throw new ServiceError(
      "unsupported_encoding",
      `The content-encoding ${JSON.stringify(header.slice(0, 100))} is not supported. Use gzip, deflate, br, zstd or none.`,
    );
  }
  // The last one named was applied last, so it comes off first.
  return names.reverse().map((name) => DECODERS[name]!);
}

/** `deflate` means zlib, but some senders leave its two header bytes out: the first bytes tell. */
class AnyInflate extends Transform {
  private inner: Transform | undefined;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.inner === undefined) {
      const isZlib =
        (chunk[0]! & 0x0f) === 8 && (((chunk[0]! << 8) | (chunk[1] ?? 0)) % 31 === 0 || chunk.length < 2);
      this.inner = isZlib ? createInflate() : createInflateRaw();
      this.inner.on("data", (decoded) => this.push(decoded));
      this.inner.on("error", (error) => this.destroy(error));
    }
    this.inner.write(chunk, () => done());
  }

  override _flush(done: TransformCallback): void {
    if (this.inner === undefined) {
      done();
      return;
    }
    this.inner.once("end", () => done());
    this.inner.end();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.inner?.destroy();
    done(error);
  }
}

/** What is read and thrown away of a refused body, so that the sender gets to read the refusal; then the line is cut. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/** Let the rest of a refused body go by. */
export function discard(req: IncomingMessage): void {
  req.removeAllListeners("data");
  let discarded = 0;
  req.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED_BYTES) req.destroy();
  });
  req.resume();
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    "payload_too_large",
    `The body is larger than ${maxBytes} bytes, the most one request may have. Send it in several requests.`,
    { limit: maxBytes },
  );
}

function brokenOff(): ServiceError {
  return new ServiceError("invalid_request", "The request was broken off before its body had arrived.");
}
