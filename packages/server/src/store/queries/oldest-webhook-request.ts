import { firstRow, type Sql } from "../sql.ts";

/** When the oldest kept webhook request was received; null when there is none. */
export function* oldestWebhookRequest(_args: Record<string, never>): Sql<number | null> {
  const row = yield* firstRow<{ received_at: number }>(
    "SELECT received_at FROM webhook_requests ORDER BY id LIMIT 1",
    [],
  );
  return row?.received_at ?? null;
}
