import { rows, type Sql } from "../sql.ts";
import type { RequestStatus, WebhookRequestRecord } from "../webhook-records.ts";

export interface ListWebhookRequestsArgs {
  webhookId: string;
  /** Null: all. */
  statuses: RequestStatus[] | null;
  /** Id of the last request of the page before. */
  cursor: string | null;
  limit: number;
}

/** ULIDs begin with a digit up to 7. */
const ABOVE_ALL = "8";

/** A page of a webhook's requests without their payloads, newest first. */
export function* listWebhookRequests(
  args: ListWebhookRequestsArgs,
): Sql<{ requests: WebhookRequestRecord[]; next: string | null }> {
  const { webhookId, statuses, limit } = args;
  const below = args.cursor ?? ABOVE_ALL;
  const found: WebhookRequestRecord[] = [];
  const select = (condition: string) =>
    `SELECT * FROM webhook_requests WHERE webhook_id = $1 AND id < $2${condition} ORDER BY id DESC LIMIT $3`;
  if (statuses === null) {
    found.push(...(yield* rows<WebhookRequestRecord>(select(""), [webhookId, below, limit + 1])));
  } else {
    for (const status of statuses) {
      // The condition of the index, word for word; accepted ones are most of all, and need none.
      const condition = status === "accepted" ? "" : " AND status <> 'accepted'";
      found.push(
        ...(yield* rows<WebhookRequestRecord>(select(` AND status = $4${condition}`), [
          webhookId,
          below,
          limit + 1,
          status,
        ])),
      );
    }
    found.sort((a, b) => (a.id < b.id ? 1 : -1));
  }
  const requests = found.slice(0, limit);
  return { requests, next: found.length > limit ? requests.at(-1)!.id : null };
}
