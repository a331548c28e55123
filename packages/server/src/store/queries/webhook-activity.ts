import { firstRow, rows, type Sql } from "../sql.ts";
import type { RequestStatus } from "../webhook-records.ts";

export interface WebhookActivity {
  /** Outcomes since the given hour. */
  counts: Partial<Record<RequestStatus, number>>;
  /** When the newest request came, ms since the epoch. */
  lastReceivedAt: number | null;
}

/** What each of some webhooks received lately. */
export function* webhookActivity(args: {
  webhookIds: string[];
  /** Hours since the epoch. */
  sinceHour: number;
}): Sql<Record<string, WebhookActivity>> {
  const activity: Record<string, WebhookActivity> = {};
  for (const id of args.webhookIds) {
    const counts = yield* rows<{ status: RequestStatus; count: number }>(
      "SELECT status, SUM(count) AS count FROM webhook_hours WHERE webhook_id = $1 AND hour >= $2 AND count > 0 GROUP BY status",
      [id, args.sinceHour],
    );
    const last = yield* firstRow<{ received_at: number }>(
      "SELECT received_at FROM webhook_requests WHERE webhook_id = $1 ORDER BY id DESC LIMIT 1",
      [id],
    );
    activity[id] = {
      counts: Object.fromEntries(counts.map(({ status, count }) => [status, Number(count)])),
      lastReceivedAt: last?.received_at ?? null,
    };
  }
  return activity;
}
