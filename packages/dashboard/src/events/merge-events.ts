import type { EventRow } from "../api/types.ts";

/** Events kept from the stream; older ones are in the list. */
export const MAX_KEPT = 1_000;

/** Whether a run of an event has not ended. */
export function isUnfinished({ runs }: Pick<EventRow, "runs">): boolean {
  return runs.some(({ status }) => status === "queued" || status === "running");
}

/**
 * Rows without doubles, newest first, each as it was read last. What only `fresh` has is left out: it may be held back by
 * a pause.
 * @param live newest first, from the stream
 * @param fresh the newest events, read a moment ago
 * @param listed newest first, page by page
 * @param held what a pause holds back, though a list read meanwhile has it
 */
export function mergeEvents(
  live: readonly EventRow[],
  fresh: readonly EventRow[],
  listed: readonly EventRow[],
  held: readonly EventRow[] = [],
): EventRow[] {
  const latest = new Map(fresh.map((event) => [event.id, event]));
  const seen = new Set(held.map(({ id }) => id));
  const rows: EventRow[] = [];
  const add = (event: EventRow) => {
    if (seen.has(event.id)) return;
    seen.add(event.id);
    const read = latest.get(event.id);
    // What has ended stays so: the fresh copy can be older than the list's.
    rows.push(read === undefined || !isUnfinished(event) ? event : read);
  };
  let next = 0;
  for (const event of live) {
    // A list that was read after the stream broke off has newer ones.
    while (next < listed.length && isBefore(event, listed[next]!)) add(listed[next++]!);
    add(event);
  }
  for (; next < listed.length; next++) add(listed[next]!);
  return rows;
}

/**
 * Whether so much came live that events are missing between what was kept of it and the list.
 * @param live newest first
 * @param listed newest first
 */
export function hasGap(live: readonly EventRow[], listed: readonly EventRow[]): boolean {
  const oldest = live.at(-1);
  if (oldest === undefined || live.length < MAX_KEPT) return false;
  return listed[0] === undefined || isBefore(listed[0], oldest);
}

/** The order of the service: by the time of receipt, then by id. */
function isBefore(one: EventRow, other: EventRow): boolean {
  if (one.received_at !== other.received_at) return one.received_at < other.received_at;
  return one.id < other.id;
}
