import { run, type Sql } from "../sql.ts";
import type { RequestStatus, WebhookPayloadRecord } from "../webhook-records.ts";

/** A request as it goes to the writer. */
export interface NewWebhookRequest
  extends Pick<WebhookPayloadRecord, "method" | "path" | "query" | "headers" | "body" | "body_encoding"> {
  webhookId: string;
  id: string;
  receivedAt: number;
  address: string;
  size: number;
  branch: string | null;
  status: Extract<RequestStatus, "pending" | "paused">;
}

/** Keep requests as they were received, before anything else is done with them. */
export function* receiveWebhookRequests({ requests }: { requests: NewWebhookRequest[] }): Sql<void> {
  for (const each of requests) {
    const { webhookId, id } = each;
    yield* run(INSERT_REQUEST, [
      webhookId,
      id,
      each.receivedAt,
      each.address,
      each.size,
      each.branch,
      each.status,
    ]);
    yield* run(INSERT_PAYLOAD, [
      webhookId,
      id,
      each.method,
      each.path,
      each.query,
      each.headers,
      each.body,
      each.body_encoding,
    ]);
    if (each.status === "paused") yield* countRequest(webhookId, each.receivedAt, "paused");
  }
}

/** Count an outcome in the hour of its request. */
export function* countRequest(webhookId: string, receivedAt: number, status: RequestStatus): Sql<void> {
  yield* run(COUNT, [webhookId, Math.floor(receivedAt / 3_600_000), status]);
}

/** A request whose outcome is to be another one: the counts are of outcomes as they are now. */
export function* uncountRequest(webhookId: string, receivedAt: number, status: RequestStatus): Sql<void> {
  yield* run(UNCOUNT, [webhookId, Math.floor(receivedAt / 3_600_000), status]);
}

const INSERT_REQUEST = `INSERT INTO webhook_requests (webhook_id, id, received_at, address, size, branch, status)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

const INSERT_PAYLOAD = `INSERT INTO webhook_payloads
  (webhook_id, request_id, method, path, query, headers, body, body_encoding) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

const COUNT = `INSERT INTO webhook_hours (webhook_id, hour, status, count) VALUES ($1, $2, $3, 1)
  ON CONFLICT (webhook_id, hour, status) DO UPDATE SET count = webhook_hours.count + 1`;

const UNCOUNT = `UPDATE webhook_hours SET count = count - 1
  WHERE webhook_id = $1 AND hour = $2 AND status = $3 AND count > 0`;
