/** Filters as they are typed: one entry on each line. */
import type { Lists } from "../api/webhooks.ts";

export interface ListTexts {
  allow: string;
  deny: string;
}

/** @example textsOf({ allow: ["a", "b"], deny: [] }) // { allow: "a\nb", deny: "" } */
export function textsOf(lists: Lists | null): ListTexts {
  return { allow: lists?.allow.join("\n") ?? "", deny: lists?.deny.join("\n") ?? "" };
}

/** Entries of a text, without blanks and without doubles. */
export function entriesOf(text: string): string[] {
  return [...new Set(text.split(/[\n,]/).map((line) => line.trim()))].filter((line) => line !== "");
}

/** What the API takes; null when both lists are empty. */
export function listsOf({ allow, deny }: ListTexts): Lists | null {
  const lists = { allow: entriesOf(allow), deny: entriesOf(deny) };
  return lists.allow.length + lists.deny.length === 0 ? null : lists;
}

/**
 * The entry that the API refused, from the name of the field.
 * @example refusedEntry("ip_filter.allow.1", "ip_filter", lists) // { list: "allow", entry: "nonsense" }
 */
export function refusedEntry(
  field: string | undefined,
  filter: "event_filter" | "ip_filter",
  lists: Lists | null,
): { list: keyof Lists; entry: string } | null {
  const [, list, place] = field?.match(new RegExp(`^${filter}\\.(allow|deny)\\.(\\d+)$`)) ?? [];
  if (list === undefined || lists === null) return null;
  const entry = lists[list as keyof Lists][Number(place)];
  return entry === undefined ? null : { list: list as keyof Lists, entry };
}
