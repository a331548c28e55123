import { inList } from "../in-list.ts";
import { fitting } from "../newest-first.ts";
import type { EventRecord } from "../records.ts";
import { rows, type Sql } from "../sql.ts";
import { type ChosenEvents, type EventKey, newestEvents } from "./newest-events.ts";
import { type ListedRun, runsOfEvents } from "./runs-of-events.ts";

export interface ListEventsArgs extends ChosenEvents {
  /** Bytes of data that a page may hold. */
  maxBytes: number;
}

export interface ListedEvent extends EventRecord {
  run_count: number;
  /** The first ten. */
  runs: ListedRun[];
}

export interface EventPage {
  events: ListedEvent[];
  next: EventKey | null;
}

/** A page of events with all they carry, newest first. */
export function* listEvents(args: ListEventsArgs): Sql<EventPage> {
  const { env, maxBytes } = args;
  const { keys, next } = yield* newestEvents(args);
  if (keys.length === 0) return { events: [], next };
  const { list, values } = inList(
    keys.map((key) => key.id),
    2,
  );
  const facts = yield* rows<{ id: string; bytes: number; run_count: number }>(
    `SELECT id, octet_length(data) + COALESCE(octet_length(extra), 0) AS bytes,
       (SELECT COUNT(*) FROM runs WHERE runs.env = events.env AND runs.event_id = events.id) AS run_count
     FROM events WHERE env = $1 AND id IN (${list})`,
    [env, ...values],
  );
  const factsOf = new Map(facts.map((fact) => [fact.id, fact]));
  const sized = keys.map((key) => ({ ...key, ...factsOf.get(key.id)! }));
  const page = fitting(sized, maxBytes);
  const shown = inList(
    page.map((row) => row.id),
    2,
  );
  const records = yield* rows<EventRecord>(`SELECT * FROM events WHERE env = $1 AND id IN (${shown.list})`, [
    env,
    ...shown.values,
  ]);
  const runsOf = yield* runsOfEvents(
    env,
    page.filter((row) => row.run_count > 0).map((row) => row.id),
  );
  const recordOf = new Map(records.map((record) => [record.id, record]));
  const last = page.at(-1)!;
  return {
    events: page.map(({ id, run_count }) => ({
      ...recordOf.get(id)!,
      run_count,
      runs: runsOf.get(id) ?? [],
    })),
    next: page.length < sized.length ? { received_at: last.received_at, id: last.id } : next,
  };
}
