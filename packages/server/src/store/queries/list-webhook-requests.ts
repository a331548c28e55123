import { inList } from "../in-list.ts";
import { fitting } from "../newest-first.ts";
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

/** Bytes of outcomes that a page holds: a request can have become 5,000 events, each with its id. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Requests read by one statement. */
const AT_ONCE = 200;
const COLUMNS = `webhook_id, id, received_at, address, size, branch, status, version, error, logs, duration_us, env,
  event_ids, finished_at`;

/** A request as it is listed: what an unrouted one waits to become can have megabytes, and is looked up singly. */
export type ListedRequest = Omit<WebhookRequestRecord, "events">;

/** A page of a webhook's requests without their payloads, newest first; it may be shorter than asked for. */
export function* listWebhookRequests(
  args: ListWebhookRequestsArgs,
): Sql<{ requests: ListedRequest[]; next: string | null }> {
  const { webhookId, statuses, limit } = args;
  const below = args.cursor ?? ABOVE_ALL;
  const found: { id: string; bytes: number }[] = [];
  const select = (condition: string) =>
    `SELECT id, COALESCE(octet_length(event_ids), 0) + COALESCE(octet_length(logs), 0)
       + COALESCE(octet_length(error), 0) AS bytes
     FROM webhook_requests WHERE webhook_id = $1 AND id < $2${condition} ORDER BY id DESC LIMIT $3`;
  if (statuses === null) {
    found.push(...(yield* rows<{ id: string; bytes: number }>(select(""), [webhookId, below, limit + 1])));
  } else {
    for (const status of statuses) {
      // The condition of the index, word for word; accepted ones are most of all, and need none.
      const condition = status === "accepted" ? "" : " AND status <> 'accepted'";
      const args = [webhookId, below, limit + 1, status];
      found.push(
        ...(yield* rows<{ id: string; bytes: number }>(select(` AND status = $4${condition}`), args)),
      );
    }
    found.sort((a, b) => (a.id < b.id ? 1 : -1));
  }
  const page = fitting(found.slice(0, limit), MAX_BYTES);
  const requests: ListedRequest[] = [];
  for (let i = 0; i < page.length; i += AT_ONCE) {
    const ids = page.slice(i, i + AT_ONCE).map(({ id }) => id);
    const { list, values } = inList(ids, 2);
    const sql = `SELECT ${COLUMNS} FROM webhook_requests WHERE webhook_id = $1 AND id IN (${list}) ORDER BY id DESC`;
    requests.push(...(yield* rows<ListedRequest>(sql, [webhookId, ...values])));
  }
  return { requests, next: found.length > page.length ? page.at(-1)!.id : null };
}
