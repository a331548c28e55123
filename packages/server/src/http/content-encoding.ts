/** Content encodings: which ones a header names, and taking them off a body within a limit. */
import { promisify } from "node:util";
import {
  brotliDecompress,
  constants,
  gunzip,
  inflate,
  inflateRaw,
  type ZlibOptions,
  type ZstdOptions,
  zstdDecompress,
} from "node:zlib";
import { ServiceError } from "../errors.ts";

/** The encodings a body may have, as in a `content-encoding` header. */
const SUPPORTED_ENCODINGS = ["gzip", "deflate", "br", "zstd", "identity"] as const;

type Encoding = Exclude<(typeof SUPPORTED_ENCODINGS)[number], "identity">;

/** More layers than this serve nobody but an attacker. */
const MAX_LAYERS = 2;

const gunzipBytes = promisify<Uint8Array, ZlibOptions, Buffer>(gunzip);
const inflateBytes = promisify<Uint8Array, ZlibOptions, Buffer>(inflate);
const inflateRawBytes = promisify<Uint8Array, ZlibOptions, Buffer>(inflateRaw);
const unbrotliBytes = promisify<Uint8Array, ZlibOptions, Buffer>(brotliDecompress);
const unzstdBytes = promisify<Uint8Array, ZstdOptions, Buffer>(zstdDecompress);

/**
 * The encodings of a `content-encoding` header, in the order in which they were applied, `identity` left out.
 * @throws ServiceError `unsupported_encoding` with the `supported` ones
 * @example encodingsOf("gzip, identity") // ["gzip"]
 */
export function encodingsOf(header: string | undefined): Encoding[] {
  if (header === undefined || header === "" || header === "identity") return [];
  const encodings: Encoding[] = [];
  for (const part of header.split(",")) {
    const name = part.trim().toLowerCase();
    if (name === "" || name === "identity") continue;
    if (name === "x-gzip" || name === "gzip") encodings.push("gzip");
    else if (name === "deflate" || name === "br" || name === "zstd") encodings.push(name);
    else throw unsupported(`The content-encoding ${JSON.stringify(name.slice(0, 40))} is not supported.`);
  }
  if (encodings.length > MAX_LAYERS)
    throw unsupported(`At most ${MAX_LAYERS} content-encodings may be combined.`);
  return encodings;
}

/**
 * Take encodings off, the last applied first. Decoding runs on the thread pool and stops at the first byte past
 * its limit, so a bomb costs no more than an honest body.
 * @param maxBytes limit of the result
 * @param maxInnerBytes limit of what lies between two encodings
 * @throws ServiceError `payload_too_large`, `invalid_json` when the data is corrupt or cut off
 */
export async function decode(
  body: Uint8Array,
  encodings: readonly Encoding[],
  maxBytes: number,
  maxInnerBytes: number,
): Promise<Uint8Array> {
  for (let layer = encodings.length - 1; layer >= 0; layer--) {
    const encoding = encodings[layer]!;
    try {
      body = await decodeOne(body, encoding, layer === 0 ? maxBytes : maxInnerBytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw bodyTooLarge(maxBytes);
      throw new ServiceError(
        "invalid_json",
        `The body says content-encoding: ${encoding}, but it is not complete, valid ${encoding} data.`,
      );
    }
  }
  return body;
}

function decodeOne(body: Uint8Array, encoding: Encoding, maxOutputLength: number): Promise<Uint8Array> {
  switch (encoding) {
    case "gzip":
      return gunzipBytes(body, { maxOutputLength });
    case "deflate":
      // HTTP means the zlib form; some clients have always sent bare deflate data.
      return hasZlibHeader(body)
        ? inflateBytes(body, { maxOutputLength })
        : inflateRawBytes(body, { maxOutputLength });
    case "br":
      return unbrotliBytes(body, { maxOutputLength });
    case "zstd":
      // RFC 9659: windows of at most 8 MiB on the web. The default would let 20 bytes claim 128 MiB of memory.
      return unzstdBytes(body, { maxOutputLength, params: { [constants.ZSTD_d_windowLogMax]: 23 } });
  }
}

/** RFC 1950: method 8 and a check sum over the first two bytes. */
function hasZlibHeader(body: Uint8Array): boolean {
  return (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | body[1]!) % 31 === 0;
}

/** The refusal of a body of more than `limit` decoded bytes. */
export function bodyTooLarge(limit: number): ServiceError {
  return new ServiceError("payload_too_large", `The body may have at most ${limit} bytes, decoded.`, {
    limit,
  });
}

function unsupported(sentence: string): ServiceError {
  return new ServiceError(
    "unsupported_encoding",
    `${sentence} Use one of: ${SUPPORTED_ENCODINGS.join(", ")}.`,
    {
      supported: SUPPORTED_ENCODINGS,
    },
  );
}
