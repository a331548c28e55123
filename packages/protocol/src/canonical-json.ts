/**
 * The canonical form of JSON (RFC 8785): no spaces, object keys sorted by their UTF-16 code units. A receiver
 * whose framework has already parsed a body gets back the signed bytes by it, when the sender signs this form.
 * @param value as `JSON.parse` gives it
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  // Written by hand: an object puts keys that look like numbers first, in their order as numbers.
  const object = value as Record<string, unknown>;
  const members = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`);
  return `{${members.join(",")}}`;
}
