import type { EventRow } from "../api/types.ts";

/** Whether a run of an event has not ended. */
export function isUnfinished({ runs }: Pick<EventRow, "runs">): boolean {
  return runs.some(({ status }) => status === "queued" || status === "running");
}

/**
 * Rows without doubles, each as it was read last. What only `fresh` has is left out: it may be held back by a pause.
 * @param live newest first, from the stream
 * @param fresh the newest events, read a moment ago
 * @param listed newest first, page by page
 */
export function mergeEvents(
  live: readonly EventRow[],
  fresh: readonly EventRow[],
  listed: readonly EventRow[],
): EventRow[] {
  const latest = new Map(fresh.map((event) => [event.id, event]));
  const seen = new Set<string>();
  const rows: EventRow[] = [];
  for (const event of [...live, ...listed]) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    const read = latest.get(event.id);
    // What has ended stays so: the fresh copy can be older than the list's.
    rows.push(read === undefined || !isUnfinished(event) ? event : read);
  }
  return rows;
}
