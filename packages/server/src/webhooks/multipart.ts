/** Reads `multipart/form-data` (RFC 7578): what a transform needs to know of each part. */

/** One part of a form: a field with its text, or a file of which only the facts are told. */
export interface FormPart {
  name: string;
  value: string | FormFile;
}

export interface FormFile {
  filename: string;
  content_type: string;
  /** Bytes. */
  size: number;
}

/** Most parts of a form. */
const MAX_PARTS = 1_000;
/** Longest that the headers of one part may be, bytes. */
const MAX_PART_HEADER_BYTES = 8 * 1024;

/**
 * The parts of a form in the order sent; undefined when it is none (no first or last boundary, a part without
 * a name, more than 1,000 parts). Takes time in proportion to the body, whatever it holds.
 * @param boundary as the content type names it
 * @example parseMultipart(Buffer.from('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--'), "b")
 * // [{ name: "a", value: "1" }]
 */
export function parseMultipart(body: Buffer, boundary: string): FormPart[] | undefined {
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  const parts: FormPart[] = [];
  // The first delimiter may stand at the very start, without a line before it.
  const first = delimiter.subarray(2);
  let line = body.subarray(0, first.length).equals(first)
    ? delimiterAt(body, first.length)
    : findDelimiter(body, delimiter, 0);
  while (line !== undefined && !line.last) {
    if (parts.length === MAX_PARTS) return undefined;
    // A part without headers goes straight to its empty line, whose line end is that of the delimiter.
    const headerEnd = body.indexOf("\r\n\r\n", line.end - 2, "latin1");
    if (headerEnd === -1 || headerEnd - line.end > MAX_PART_HEADER_BYTES) return undefined;
    const next = findDelimiter(body, delimiter, headerEnd + 2);
    if (next === undefined) return undefined;
    const content = body.subarray(headerEnd + 4, Math.max(next.start, headerEnd + 4));
    const part = partOf(body.toString("utf8", line.end, Math.max(headerEnd, line.end)), content);
    if (part === undefined) return undefined;
    parts.push(part);
    line = next;
  }
  return line === undefined ? undefined : parts;
}

interface DelimiterLine {
  /** Where the delimiter begins, the line end before it included. */
  start: number;
  /** Where what follows its line begins. */
  end: number;
  last: boolean;
}

function findDelimiter(body: Buffer, delimiter: Buffer, from: number): DelimiterLine | undefined {
  for (let at = body.indexOf(delimiter, from); at !== -1; at = body.indexOf(delimiter, at + 2)) {
    const line = delimiterAt(body, at + delimiter.length);
    if (line !== undefined) return { ...line, start: at };
  }
  return undefined;
}

/** The delimiter line whose boundary ends at `at`; undefined when the line holds anything else. */
function delimiterAt(body: Buffer, at: number): DelimiterLine | undefined {
  if (body[at] === 0x2d && body[at + 1] === 0x2d) return { start: 0, end: at + 2, last: true };
  // Blanks may have been added on the way (RFC 2046, 5.1.1); more than a few are content.
  for (let end = at; end < at + 100; end++) {
    if (body[end] === 0x0d && body[end + 1] === 0x0a) return { start: 0, end: end + 2, last: false };
    if (body[end] !== 0x20 && body[end] !== 0x09) return undefined;
  }
  return undefined;
}

function partOf(headers: string, content: Buffer): FormPart | undefined {
  let disposition: string | undefined;
  let contentType = "application/octet-stream";
  for (const line of headers.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon === -1) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    if (name === "content-disposition") disposition = line.slice(colon + 1);
    else if (name === "content-type") contentType = line.slice(colon + 1).trim();
  }
  if (disposition === undefined) return undefined;
  const name = parameterOf(disposition, "name");
  if (name === undefined) return undefined;
  const filename = parameterOf(disposition, "filename") ?? encodedFilename(disposition);
  if (filename === undefined) return { name, value: content.toString("utf8") };
  return { name, value: { filename, content_type: contentType, size: content.length } };
}

/** A parameter of a header: quoted or not, with the escapes that browsers (`%22`) and others (`\"`) use. */
function parameterOf(header: string, wanted: string): string | undefined {
  for (const [, name, quoted, plain] of header.matchAll(PARAMETER)) {
    if (name!.toLowerCase() !== wanted) continue;
    if (quoted === undefined) return plain!;
    return quoted.replace(/\\(["\\])/g, "$1").replace(/%(22|0D|0A)/gi, decodeURIComponent);
  }
  return undefined;
}

const PARAMETER = /;[ \t]*([^=;" \t]{1,100})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;" \t]*))/gs;

/** `filename*=UTF-8''na%C3%AFve.txt`: not allowed in forms, and sent all the same. */
function encodedFilename(disposition: string): string | undefined {
  const encoded = parameterOf(disposition, "filename*");
  if (encoded === undefined) return undefined;
  const text = encoded.replace(/^utf-8'[^']*'/i, "");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
