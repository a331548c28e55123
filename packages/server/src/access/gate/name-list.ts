/** Which events may come in by their name: lists of names and prefixes. */
import { EVENT_LIMITS } from "@svc/protocol";
import * as z from "zod";
import { longerThan } from "../../text-size.ts";

/** Most entries of one list. */
export const MAX_NAME_ENTRIES = 1_000;

export interface NameLists {
  allow: readonly string[];
  deny: readonly string[];
}

/**
 * Compile lists of event names into a test of a name. An entry is a name, a prefix with a wildcard as triggers
 * have it (`shop/*`, `shop.*`), or `*` for all. `deny` wins over `allow`; an empty `allow` lets every name in.
 *
 * Takes a look-up for the name and one for each length of prefix, however long the lists are.
 * @throws RangeError when a list has more than 1,000 entries
 * @example compileNameList({ allow: ["shop/*"], deny: ["shop/debug"] })("shop/debug") // false
 */
export function compileNameList(lists: NameLists): (name: string) => boolean {
  const allowed = compile(lists.allow);
  const denied = compile(lists.deny);
  if (lists.deny.length === 0) return lists.allow.length === 0 ? () => true : allowed;
  if (lists.allow.length === 0) return (name) => !denied(name);
  return (name) => !denied(name) && allowed(name);
}

function compile(entries: readonly string[]): (name: string) => boolean {
  if (entries.length > MAX_NAME_ENTRIES) {
    throw new RangeError(`A list has at most ${MAX_NAME_ENTRIES} entries.`);
  }
  const names = new Set<string>();
  const prefixes = new Set<string>();
  for (const entry of entries) {
    const prefix = prefixOf(entry);
    if (prefix === undefined) names.add(entry);
    else prefixes.add(prefix);
  }
  const lengths = [...new Set([...prefixes].map((prefix) => prefix.length))].sort((a, b) => a - b);
  return (name) => {
    if (names.has(name)) return true;
    for (const length of lengths) {
      if (length > name.length) return false;
      if (prefixes.has(name.slice(0, length))) return true;
    }
    return false;
  };
}

/** What an entry's names begin with; undefined when it is one name. As triggers have it, and a lone `*`. */
function prefixOf(entry: string): string | undefined {
  return entry === "*" || entry.endsWith("/*") || entry.endsWith(".*") ? entry.slice(0, -1) : undefined;
}

/** An entry of a list, as the API takes it. */
export const namePattern = z
  .string()
  .min(1)
  .refine((entry) => entry === entry.trim(), "must not begin or end with blanks")
  .refine((entry) => !longerThan(entry, EVENT_LIMITS.nameBytes), "must not be longer than 256 bytes")
  .refine((entry) => entry.isWellFormed(), "contains half a surrogate pair")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  .refine((entry) => !/[\0-\x1f\x7f-\x9f]/.test(entry), "must not contain control characters")
  .refine(
    (entry) => !(prefixOf(entry) ?? entry).includes("*"),
    "may have a wildcard only at its end, as in `shop/*` or `shop.*`, or be `*`",
  )
  .meta({ examples: ["shop/order.placed", "shop/*", "*"] });
