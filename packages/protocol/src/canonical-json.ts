/**
 * The canonical form of JSON (RFC 8785): no spaces, object keys sorted by their UTF-16 code units. A receiver
 * whose framework has already parsed a body gets back the signed bytes by it, when the sender signs this form.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value));
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  // Entries, not assignment: `__proto__` is an ordinary key in JSON.
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}
