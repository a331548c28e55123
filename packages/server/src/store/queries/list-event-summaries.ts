import { inList } from "../in-list.ts";
import type { EventRecord } from "../records.ts";
import { rows, type Sql } from "../sql.ts";
import type { ListedEvent } from "./list-events.ts";
import { type ChosenEvents, type EventKey, newestEvents } from "./newest-events.ts";
import { runsOfEvents } from "./runs-of-events.ts";

/** An event without what it carried. */
export interface EventSummary extends Omit<ListedEvent, "data" | "extra"> {
  /** Of its data as JSON, in UTF-8. */
  data_bytes: number;
}

/**
 * A page of events without what they carried, newest first. SQLite tells the size of a text without reading it, so a row
 * of half a megabyte costs as much as a small one. Nothing else of a row is large: every page is as long as it should be.
 */
export function* listEventSummaries(
  args: ChosenEvents,
): Sql<{ events: EventSummary[]; next: EventKey | null }> {
  const { env } = args;
  const { keys, next } = yield* newestEvents(args);
  if (keys.length === 0) return { events: [], next };
  const { list, values } = inList(
    keys.map((key) => key.id),
    2,
  );
  const found = yield* rows<Omit<EventRecord, "data" | "extra"> & { data_bytes: number; run_count: number }>(
    `SELECT env, id, name, ts, received_at, idempotency_id, source_kind, source_name,
       octet_length(data) AS data_bytes,
       (SELECT COUNT(*) FROM runs WHERE runs.env = events.env AND runs.event_id = events.id) AS run_count
     FROM events WHERE env = $1 AND id IN (${list})`,
    [env, ...values],
  );
  const eventOf = new Map(found.map((event) => [event.id, event]));
  const runsOf = yield* runsOfEvents(
    env,
    found.filter((event) => event.run_count > 0).map((event) => event.id),
  );
  const events = keys.map(({ id }) => ({ ...eventOf.get(id)!, runs: runsOf.get(id) ?? [] }));
  return { events, next };
}
