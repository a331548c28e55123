/** From body bytes to text to a JSON value, with errors a sender can act on. */
import { isUtf8 } from "node:buffer";
import { type ErrorDetail, ServiceError } from "../errors.ts";

/**
 * The text of a body. A leading byte order mark is dropped; anything that is not UTF-8 is refused rather than
 * repaired, because a repaired text is not what the sender sent.
 * @throws ServiceError `invalid_json`
 */
export function decodeBody(body: Uint8Array): string {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!isUtf8(bytes)) throw new ServiceError("invalid_json", "The body is not valid UTF-8.");
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bytes.toString("utf8", start);
}

/**
 * The value of a JSON text. V8's parser keeps its own stack, so nesting of any depth is safe to parse (not to
 * stringify: see `checkTree`).
 * @param what how the error names the text: "The body", "Line 3"
 * @throws ServiceError `invalid_json`, with `detail`
 */
export function parseJson(text: string, what = "The body", detail: ErrorDetail = {}): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.trim() === "") throw new ServiceError("invalid_json", `${what} is empty.`, detail);
    // V8 quotes a few characters of the text and may cut a surrogate pair in two.
    const reason = (error as Error).message.toWellFormed();
    throw new ServiceError("invalid_json", `${what} is not valid JSON: ${reason}`, detail);
  }
}
