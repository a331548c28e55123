/** Time strings such as `300ms`, `2h45m` or `1d`. */
const UNIT_MS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Milliseconds of a time string or a number of milliseconds; `undefined` when it is neither, negative or
 * not finite.
 * @example parseDuration("2h45m") // 9_900_000
 * @example parseDuration(1500) // 1500
 */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? value : undefined;
  if (typeof value !== "string" || value.length > 100) return undefined;
  const text = value.trim();
  const part = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d|w)/y;
  let total = 0;
  let at = 0;
  while (at < text.length) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (!match) return undefined;
    total += Number(match[1]) * UNIT_MS[match[2]!]!;
    at = part.lastIndex;
  }
  return at > 0 && Number.isFinite(total) ? total : undefined;
}

/**
 * The moment (ms since the epoch) a wait ends that begins at `now`: a time string or milliseconds from now,
 * or an ISO 8601 date. `undefined` when the text is none of these.
 * @example parseMoment("10s", 1_000) // 11_000
 * @example parseMoment("2030-01-01T00:00:00Z", 0) // 1893456000000
 */
export function parseMoment(value: unknown, now: number): number | undefined {
  const duration = parseDuration(value);
  if (duration !== undefined) return now + Math.ceil(duration);
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? undefined : moment;
}
