import { firstRow, type Sql } from "../sql.ts";
import type { WebhookPayloadRecord, WebhookRequestRecord } from "../webhook-records.ts";

/** A request with its payload, by its id. */
export type FullWebhookRequest = WebhookRequestRecord &
  Omit<WebhookPayloadRecord, "webhook_id" | "request_id">;

export function* findWebhookRequest({ id }: { id: string }): Sql<FullWebhookRequest | null> {
  const found = yield* firstRow<FullWebhookRequest>(
    `SELECT webhook_requests.*, method, path, query, headers, body, body_encoding FROM webhook_requests
     JOIN webhook_payloads ON webhook_payloads.webhook_id = webhook_requests.webhook_id
       AND webhook_payloads.request_id = webhook_requests.id
     WHERE webhook_requests.id = $1`,
    [id],
  );
  return found ?? null;
}
