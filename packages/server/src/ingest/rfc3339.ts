/** RFC 3339 times, strictly: `Date.parse` alone takes many other forms, and some of them as local time. */
const FORM =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,30}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * Milliseconds since the epoch of an RFC 3339 time, finer digits cut off; `undefined` when the text is none, or
 * names a day that does not exist. A leap second counts as the first second of the next minute.
 * @example parseRfc3339("2030-01-01T01:00:00.5+01:00") // 1893456000500
 */
export function parseRfc3339(text: string): number | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second] = match.map(Number) as [number, ...number[]] & number[];
  const offset = match[8] === undefined ? 0 : Number(match[9]) * 60 + Number(match[10]);
  if (
    hour! > 23 ||
    minute! > 59 ||
    second! > 60 ||
    Number(match[9] ?? 0) > 23 ||
    Number(match[10] ?? 0) > 59
  ) {
    return undefined;
  }
  const date = new Date(0);
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year!, month! - 1, day!);
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day!) return undefined;
  const milliseconds = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const local = date.getTime() + ((hour! * 60 + minute!) * 60 + second!) * 1000 + milliseconds;
  return local - (match[8] === "-" ? -offset : offset) * 60_000;
}
