import { DEDUPLICATION_WINDOW_MS } from "@svc/protocol";
import type { SourceKind } from "../records.ts";
import { firstRow, run, type Sql } from "../sql.ts";

/** A run that an event starts: run id, function id, app id, moment it is due. */
export type PlannedRun = [runId: string, functionId: string, appId: string, dueAt: number];

/** One event as it goes to the writer: a flat tuple, because objects cost more on the way to a thread. */
export type AcceptedEvent = [
  id: string,
  name: string,
  ts: number,
  idempotencyId: string | null,
  data: string,
  extra: string | null,
  runs: PlannedRun[] | null,
];

export interface AcceptEventsArgs {
  env: string;
  now: number;
  source: SourceKind;
  sourceName: string | null;
  events: AcceptedEvent[];
  /** The ids come from the sender, so an event may be here already. */
  seeded: boolean;
}

/** Place in the batch and id of the event that was there first. */
export type Duplicate = [index: number, eventId: string];

/**
 * Store a batch of events with the runs they start: claims the deduplication ids, inserts events, runs and
 * their first queue items.
 * @returns the events that were ignored as duplicates, or null when there were none
 */
export function* acceptEvents(args: AcceptEventsArgs): Sql<Duplicate[] | null> {
  const { env, now, events } = args;
  let duplicates: Duplicate[] | null = null;
  for (let index = 0; index < events.length; index++) {
    const event = events[index]!;
    if (event[3] !== null || args.seeded) {
      const firstId = yield* claim(env, now, event, args.seeded);
      if (firstId !== null) {
        duplicates ??= [];
        duplicates.push([index, firstId]);
        continue;
      }
    }
    yield* insertEvent(env, now, args.source, args.sourceName, event);
  }
  return duplicates;
}

/** Insert an event known to be new, with its runs. */
export function* insertEvent(
  env: string,
  now: number,
  source: SourceKind,
  sourceName: string | null,
  [id, name, ts, idempotencyId, data, extra, runs]: AcceptedEvent,
): Sql<void> {
  // Yielded as it is: a generator less for each event.
  yield {
    sql: INSERT_EVENT,
    params: [env, id, name, ts, now, idempotencyId, data, extra, source, sourceName],
  };
  if (runs === null) return;
  for (const [runId, functionId, appId, dueAt] of runs) {
    yield* run(INSERT_RUN, [env, runId, functionId, appId, id, now]);
    yield* run(INSERT_FIRST_ITEM, [env, runId, appId, functionId, dueAt]);
  }
}

/** The id of the event that this one duplicates; null when it is new. */
function* claim(env: string, now: number, event: AcceptedEvent, seeded: boolean): Sql<string | null> {
  const [id, , , idempotencyId] = event;
  // Before the claim: an event that is not stored must not claim anything.
  if (seeded && (yield* firstRow(EVENT_EXISTS, [env, id])) !== undefined) return id;
  if (idempotencyId !== null) {
    const claimed = yield* firstRow(CLAIM, [env, idempotencyId, id, now, now - DEDUPLICATION_WINDOW_MS]);
    if (claimed === undefined) {
      const first = yield* firstRow<{ event_id: string }>(FIRST_EVENT, [env, idempotencyId]);
      return first!.event_id;
    }
  }
  return null;
}

const INSERT_EVENT = `INSERT INTO events
  (env, id, name, ts, received_at, idempotency_id, data, extra, source_kind, source_name)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

export const INSERT_RUN = `INSERT INTO runs
  (env, id, function_id, app_id, event_id, status, attempts, request_version, queued_at)
  VALUES ($1, $2, $3, $4, $5, 'queued', 0, -1, $6)`;

export const INSERT_FIRST_ITEM = `INSERT INTO queue (env, run_id, id, app_id, function_id, kind, step_id, attempt, due_at)
  VALUES ($1, $2, $2, $3, $4, 'call', 'step', 0, $5)`;

// A claim whose window is over is taken over; a live one leaves no row.
const CLAIM = `INSERT INTO deduplication (env, id, event_id, first_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (env, id) DO UPDATE SET event_id = excluded.event_id, first_at = excluded.first_at
  WHERE deduplication.first_at <= $5 RETURNING event_id`;

const FIRST_EVENT = "SELECT event_id FROM deduplication WHERE env = $1 AND id = $2";

export const EVENT_EXISTS = "SELECT id FROM events WHERE env = $1 AND id = $2";
