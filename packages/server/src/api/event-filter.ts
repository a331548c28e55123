/** What lists and the live stream choose events by. */
import { LIFECYCLE_EVENT_NAMES } from "@svc/protocol";
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
  lifecycle: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .describe(
      "`false` leaves out the events in which the service tells how runs ended (`svc/function.finished` and its kin).",
    ),
  q: z
    .string()
    .max(200)
    .optional()
    .describe("Text in the name, the ids or the data (as JSON), in upper or lower case."),
});

/** Names that a filter leaves out; null: none. */
export function namesLeftOut({ lifecycle }: { lifecycle?: boolean | undefined }): readonly string[] | null {
  return lifecycle === false ? LIFECYCLE_EVENT_NAMES : null;
}

/** Whether an event of a commit passes. */
export type LiveFilter = (stored: StoredEvents, event: StoredEvents["events"][number]) => boolean;

/** The same choice as the list makes, for events that have just been stored. */
export function createLiveFilter(filter: z.output<typeof eventFilter>): LiveFilter {
  const { name: names, id, source } = filter;
  const leftOut = namesLeftOut(filter);
  const text = filter.q?.toLowerCase();
  return ({ source: from }, event) => {
    const [ownId, name, , idempotencyId, data] = event;
    if (names !== undefined && !names.some((pattern) => matchesName(pattern, name))) return false;
    if (leftOut?.includes(name)) return false;
    if (id && id !== ownId && id !== idempotencyId) return false;
    if (source && source !== from.kind && source !== from.name) return false;
    if (!text) return true;
    return [name, ownId, idempotencyId ?? "", data].some((part) => part.toLowerCase().includes(text));
  };
}

function matchesName(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}
