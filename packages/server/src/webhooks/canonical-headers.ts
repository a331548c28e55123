/** The headers of a webhook's request in the form a transform sees them. */

/** Most header lines that are read; Node itself passes on no more than 2,000. */
const MAX_HEADERS = 1_000;

/**
 * Headers by their canonical names: first letter and every letter after a hyphen upper case, the others lower
 * case. A header sent several times is one value, joined with `, ` (`Cookie` with `; `).
 *
 * The object has no prototype, so a header may be called `__proto__`. Header lines after the first 1,000 are
 * left out; the length of them all is bounded by the server that read them.
 * @param rawHeaders names and values by turns, as `req.rawHeaders` of node:http has them
 * @example canonicalHeaders(["x-github-EVENT", "push"]) // { "X-Github-Event": "push" }
 */
export function canonicalHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  const end = Math.min(rawHeaders.length - 1, MAX_HEADERS * 2);
  for (let i = 0; i < end; i += 2) {
    const name = canonicalName(rawHeaders[i]!);
    const value = rawHeaders[i + 1]!;
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}${name === "Cookie" ? "; " : ", "}${value}`;
  }
  return headers;
}

/**
 * The canonical form of one header name; only ASCII letters change.
 * @example canonicalName("WWW-authenticate") // "Www-Authenticate"
 */
export function canonicalName(name: string): string {
  let canonical = "";
  let first = true;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (first && code >= 0x61 && code <= 0x7a) canonical += String.fromCharCode(code - 0x20);
    else if (!first && code >= 0x41 && code <= 0x5a) canonical += String.fromCharCode(code + 0x20);
    else canonical += name[i];
    first = code === 0x2d;
  }
  return canonical;
}
