/** What lists and the live stream choose events by. */
import * as z from "zod";
import type { StoredEvents } from "./event-feed.ts";
import { isText, listParameter } from "./parameters.ts";

export const eventFilter = z.object({
  name: listParameter(
    "Names, separated by commas; a trailing `*` stands for any rest: `order/*`.",
    isText,
    "up to 20 names",
  ),
  id: z.string().max(256).optional().describe("The event's id, or the one its sender gave it."),
  source: z
    .string()
    .max(256)
    .optional()
    .describe("Kind (`key`, `webhook`, `step`, `api`, `cron`, `service`) or name of the source."),
  q: z
    .string()
    .max(200)
    .optional()
    .describe("Text in the name, the ids or the data (as JSON), in upper or lower case."),
});

/** Whether an event of a commit passes. */
export type LiveFilter = (stored: StoredEvents, event: StoredEvents["events"][number]) => boolean;

/** The same choice as the list makes, for events that have just been stored. */
export function createLiveFilter(filter: z.output<typeof eventFilter>): LiveFilter {
  const { name: names, id, source } = filter;
  const text = filter.q?.toLowerCase();
  return ({ source: from }, event) => {
    const [ownId, name, , idempotencyId, data] = event;
    if (names !== undefined && !names.some((pattern) => matchesName(pattern, name))) return false;
    if (id && id !== ownId && id !== idempotencyId) return false;
    if (source && source !== from.kind && source !== from.name) return false;
    if (!text) return true;
    return [name, ownId, idempotencyId ?? "", data].some((part) => part.toLowerCase().includes(text));
  };
}

function matchesName(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}
