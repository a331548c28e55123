/** What a new transform changes for requests that came. */
import type { TransformedEvent, TriedRequest } from "../api/webhooks.ts";

/**
 * - `same`: the same events, or none as before
 * - `different`: other events, or another number of them
 * - `breaks`: there were events, or an outcome, and now it fails
 * - `mends`: it failed, and now it does not
 * - `fails`: it fails as it did
 */
export type Effect = "same" | "different" | "breaks" | "mends" | "fails";

/** Those that somebody should look at come first. */
export const EFFECTS: readonly Effect[] = ["breaks", "different", "mends", "fails", "same"];

/** What the new transform changes for one request. */
export function effectOn({ events_before: before, events, status }: TriedRequest): Effect {
  if (status === "failed") return before === null ? "fails" : "breaks";
  if (before === null) return "mends";
  return eventText(before) === eventText(events) ? "same" : "different";
}

/** Events as text to be compared by line. */
export function eventText(events: readonly TransformedEvent[]): string {
  return JSON.stringify(events, null, 2);
}

/** How many requests each effect has. */
function countEffects(tried: readonly TriedRequest[]): Record<Effect, number> {
  const counts: Record<Effect, number> = { same: 0, different: 0, breaks: 0, mends: 0, fails: 0 };
  for (const each of tried) counts[effectOn(each)]++;
  return counts;
}

const WORDS: Record<Effect, (count: number) => string> = {
  same: (count) => `${count} as before`,
  different: (count) => `${count} with other events`,
  breaks: (count) => (count === 1 ? "1 that fails now" : `${count} that fail now`),
  mends: (count) => (count === 1 ? "1 that fails no more" : `${count} that fail no more`),
  fails: (count) => (count === 1 ? "1 that fails as before" : `${count} that fail as before`),
};

/** @example effectSentence(tried) // "Of the last 20 requests: 1 that fails now, 19 as before." */
export function effectSentence(tried: readonly TriedRequest[]): string {
  if (tried.length === 0) return "No request has come yet that it could be tried on.";
  const counts = countEffects(tried);
  const parts = EFFECTS.filter((effect) => counts[effect] > 0).map((effect) => WORDS[effect](counts[effect]));
  return tried.length === 1
    ? `The only request: ${parts[0]}.`
    : `Of the last ${tried.length} requests: ${parts.join(", ")}.`;
}
