import { firstRow, type Sql } from "../sql.ts";

/** The webhook request an event came from; null when it came another way, or the request is gone. */
export function* requestOfEvent(args: {
  env: string;
  eventId: string;
}): Sql<{ webhook_id: string; request_id: string } | null> {
  const found = yield* firstRow<{ webhook_id: string; request_id: string }>(
    "SELECT webhook_id, request_id FROM webhook_events WHERE env = $1 AND event_id = $2",
    [args.env, args.eventId],
  );
  return found ?? null;
}
