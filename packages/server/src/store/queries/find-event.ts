import type { EventRecord } from "../records.ts";
import { firstRow, type Sql } from "../sql.ts";
import type { ListedEvent } from "./list-events.ts";
import { runsOfEvents } from "./runs-of-events.ts";

/** An event by its id, else the newest one to which its sender gave that id; null when there is none. */
export function* findEvent(args: { env: string; id: string }): Sql<ListedEvent | null> {
  const { env, id } = args;
  const event =
    (yield* firstRow<EventRecord>("SELECT * FROM events WHERE env = $1 AND id = $2", [env, id])) ??
    (yield* firstRow<EventRecord>(
      `SELECT * FROM events WHERE env = $1 AND idempotency_id = $2
       ORDER BY received_at DESC, id DESC LIMIT 1`,
      [env, id],
    ));
  if (event === undefined) return null;
  const runs = yield* firstRow<{ count: number }>(
    "SELECT COUNT(*) AS count FROM runs WHERE env = $1 AND event_id = $2",
    [env, event.id],
  );
  const listed = yield* runsOfEvents(env, [event.id]);
  return { ...event, run_count: runs!.count, runs: listed.get(event.id) ?? [] };
}
