import { rows, run, type Sql } from "../sql.ts";

export interface PurgeWebhookRequestsArgs {
  /** Requests with a smaller id go: ids carry the time of receipt. */
  beforeId: string;
  /** Counts of hours before this one go as well, hours since the epoch. */
  beforeHour: number;
  /** At most so many requests in this step. */
  limit: number;
}

/** Remove the oldest requests with all that hangs on them. @returns how many were removed */
export function* purgeWebhookRequests(args: PurgeWebhookRequestsArgs): Sql<number> {
  const old = yield* rows<{ id: string; webhook_id: string }>(
    "SELECT id, webhook_id FROM webhook_requests WHERE id < $1 ORDER BY id LIMIT $2",
    [args.beforeId, args.limit],
  );
  for (const { id, webhook_id } of old) {
    yield* run("DELETE FROM webhook_requests WHERE webhook_id = $1 AND id = $2", [webhook_id, id]);
    yield* run("DELETE FROM webhook_payloads WHERE webhook_id = $1 AND request_id = $2", [webhook_id, id]);
    yield* run("DELETE FROM webhook_events WHERE request_id = $1", [id]);
  }
  if (old.length < args.limit) {
    yield* run(FORGET_OLD_HOURS, [args.beforeHour]);
    yield* run(FORGET_HOURS, []);
    yield* run(FORGET_VERSIONS, []);
    yield* run(FORGET_WEBHOOKS, []);
  }
  return old.length;
}

// Webhook by webhook, as the key of the table is made: there are up to a thousand webhooks with 720 hours each.
const FORGET_OLD_HOURS =
  "DELETE FROM webhook_hours WHERE webhook_id IN (SELECT id FROM webhooks) AND hour < $1";

// A deleted webhook is kept as long as its requests are.
const GONE = `SELECT id FROM webhooks WHERE deleted_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM webhook_requests WHERE webhook_requests.webhook_id = webhooks.id)`;
const FORGET_HOURS = `DELETE FROM webhook_hours WHERE webhook_id IN (${GONE})`;
const FORGET_VERSIONS = `DELETE FROM webhook_versions WHERE webhook_id IN (${GONE})`;
const FORGET_WEBHOOKS = `DELETE FROM webhooks WHERE id IN (${GONE})`;
