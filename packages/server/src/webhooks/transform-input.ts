/** From the body of a webhook's request to what its transform is given. */
import { isUtf8 } from "node:buffer";
import { decodeBody } from "../ingest/json.ts";
import { jsonFault } from "./json-fault.ts";
import { type FormFile, parseMultipart } from "./multipart.ts";
import { forEachParameter } from "./query-params.ts";

export interface TransformInput {
  /** JSON text of the body's value; `{}` when the body has none. */
  evt: string;
  /** The body, byte for byte: its text, or base64 when `binary`. */
  raw: string;
  /** The body is not UTF-8, so `raw` is base64. The caller tells the transform by a header. */
  binary: boolean;
  /** Why a body that says it is JSON is not: a sentence for the sender. */
  invalidJson?: string;
}

const EMPTY = "{}";

/**
 * What a transform is given for a body:
 *
 * - JSON (`…/json`, `…+json`) is `evt` as it stands: object, array or scalar. A body that claims to be JSON and is
 *   not, or nests too deep, is `{}` with the reason in `invalidJson`. No body at all is `{}` without one.
 * - Without a content type, JSON is `evt` too, and anything else `{}`.
 * - `application/x-www-form-urlencoded` and `multipart/form-data` become an object of fields: a string, or an
 *   array when a field comes several times. A file is `{filename, content_type, size}`. At most 1,000 fields;
 *   further ones of an urlencoded body are left out, and a form with more parts, or a broken one, is `{}`.
 * - Everything else is `{}`.
 *
 * A charset other than UTF-8 in the content type is understood for `evt`. `raw` is always the bytes, so that a
 * transform can verify a signature over them. Never throws.
 * @param contentType the header's value, parameters and all
 * @param body bytes, decoded of any content-encoding
 * @example transformInput("application/x-www-form-urlencoded", Buffer.from("a=1&b=2&b=3"))
 * // { evt: '{"a":"1","b":["2","3"]}', raw: "a=1&b=2&b=3", binary: false }
 */
export function transformInput(contentType: string | undefined, body: Uint8Array): TransformInput {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const binary = !isUtf8(bytes);
  const raw = bytes.toString(binary ? "base64" : "utf8");
  if (bytes.length === 0) return { evt: EMPTY, raw, binary };
  const kind = mediaType(contentType);
  if (kind === "" || /[/+]json$/.test(kind)) {
    const text = textOf(bytes, binary, contentType);
    const invalidJson = text === undefined ? "The body is not valid UTF-8." : jsonFault(text);
    if (invalidJson === undefined) return { evt: text!, raw, binary };
    return kind === "" ? { evt: EMPTY, raw, binary } : { evt: EMPTY, raw, binary, invalidJson };
  }
  if (kind === "application/x-www-form-urlencoded") {
    const text = textOf(bytes, binary, contentType);
    return { evt: text === undefined ? EMPTY : urlencodedFields(text), raw, binary };
  }
  if (kind === "multipart/form-data") {
    const boundary = contentTypeParameter(contentType!, "boundary");
    return { evt: boundary === undefined ? EMPTY : formFields(bytes, boundary), raw, binary };
  }
  return { evt: EMPTY, raw, binary };
}

/** The text of a body in the charset it claims, or in UTF-8; undefined when it is in neither. */
function textOf(bytes: Buffer, binary: boolean, contentType: string | undefined): string | undefined {
  const charset = contentType === undefined ? undefined : contentTypeParameter(contentType, "charset");
  if (charset !== undefined && !/^(utf-?8|(us-)?ascii)$/i.test(charset)) {
    try {
      return new TextDecoder(charset, { fatal: true }).decode(bytes);
    } catch {
      // Unknown, or not what the bytes are in: UTF-8 is the likely one then.
    }
  }
  return binary ? undefined : decodeBody(bytes);
}

function urlencodedFields(text: string): string {
  const fields = noFields();
  forEachParameter(text, (name, value) => addField(fields, name, value));
  return JSON.stringify(fields);
}

function formFields(bytes: Buffer, boundary: string): string {
  const fields = noFields();
  for (const { name, value } of parseMultipart(bytes, boundary) ?? []) addField(fields, name, value);
  return JSON.stringify(fields);
}

type Fields = Record<string, FieldValue | FieldValue[]>;
type FieldValue = string | FormFile;

/** No prototype: a field may be called `__proto__`. */
function noFields(): Fields {
  return Object.create(null);
}

function addField(fields: Fields, name: string, value: FieldValue): void {
  const before = fields[name];
  if (before === undefined) fields[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else fields[name] = [before, value];
}

/** `Application/JSON; charset=utf-8` -> `application/json`; none is "". */
function mediaType(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
}

function contentTypeParameter(contentType: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]{1,100})"|([^\\s;"]{1,100}))`, "i").exec(
    contentType,
  );
  return found === null ? undefined : (found[1] ?? found[2]);
}
