/** What a JSON text says that no reader in JavaScript hears: it would arrive as something else. */

export interface JsonFault {
  from: number;
  to: number;
  message: string;
  /** An error is refused by the service; a warning is changed on the way. */
  severity: "error" | "warning";
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** More than these help nobody. */
const MAX_FAULTS = 20;

/**
 * Numbers out of range or with more digits than are kept, and members that are there twice.
 * @param text valid JSON
 * @example jsonFaults('{"id":12345678901234567890}')[0].message
 * // "This number becomes 12345678901234567000. Send long ones as text."
 */
export function jsonFaults(text: string): JsonFault[] {
  const faults: JsonFault[] = [];
  const tokens = [...text.matchAll(TOKEN)];
  /** The names seen in each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  for (const [at, { 0: token, index: from }] of tokens.entries()) {
    if (faults.length >= MAX_FAULTS) break;
    const place = { from, to: from + token.length };
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else if (token.startsWith('"')) {
      if (tokens[at + 1]?.[0] !== ":") continue;
      const names = open.at(-1);
      const name = JSON.parse(token) as string;
      if (names?.has(name))
        faults.push({
          ...place,
          message: `${token} is there twice: only the last one counts.`,
          severity: "warning",
        });
      names?.add(name);
    } else {
      const fault = numberFault(token);
      if (fault !== null) faults.push({ ...place, ...fault });
    }
  }
  return faults;
}

function numberFault(token: string): Pick<JsonFault, "message" | "severity"> | null {
  const digits = digitsOf(token);
  if (digits === null) return null;
  const value = Number(token);
  if (!Number.isFinite(value)) return { message: "This number is out of range.", severity: "error" };
  if (digits === digitsOf(String(value))) return null;
  return { message: `This number becomes ${value}. Send long ones as text.`, severity: "warning" };
}

/** The same for `1`, `1.0` and `10e-1`; null for what is no number. */
function digitsOf(token: string): string | null {
  const [, whole, fraction = "", exponent = "0"] = NUMBER.exec(token) ?? [];
  if (whole === undefined) return null;
  const all = (whole + fraction).replace(/^0+/, "");
  const kept = all.replace(/0+$/, "");
  return kept === "" ? "0" : `${kept}e${Number(exponent) - fraction.length + all.length - kept.length}`;
}
