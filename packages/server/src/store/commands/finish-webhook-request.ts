import { firstRow, run, type Sql } from "../sql.ts";
import type { RequestStatus, WebhookRequestRecord } from "../webhook-records.ts";
import { type AcceptEventsArgs, acceptEvents, type Duplicate } from "./accept-events.ts";
import { countRequest, uncountRequest } from "./receive-webhook-requests.ts";

export interface FinishWebhookRequestArgs {
  webhookId: string;
  id: string;
  receivedAt: number;
  now: number;
  /** How the request stood when its transform began; another outcome since then wins. */
  expect: { status: RequestStatus; finishedAt: number | null };
  outcome: Pick<WebhookRequestRecord, "version" | "error" | "logs" | "duration_us" | "events"> & {
    /** `accepted` becomes `duplicate` when every event was there before. */
    status: Exclude<RequestStatus, "pending" | "paused" | "duplicate">;
  };
  /** The events it became, with `accepted` only. */
  accept: Omit<AcceptEventsArgs, "now" | "seeded"> | null;
}

export interface FinishedRequest {
  status: RequestStatus;
  duplicates: Duplicate[] | null;
}

/**
 * Store the outcome of a request together with the events it became and the runs they start, so that none of them
 * is ever there without the others.
 * @returns null when the request has another outcome already; then nothing is written
 */
export function* finishWebhookRequest(args: FinishWebhookRequestArgs): Sql<FinishedRequest | null> {
  const { webhookId, id, now, expect, outcome, accept } = args;
  const ids = accept === null ? null : accept.events.map((event) => event[0]);
  const row = yield* firstRow<{ id: string }>(UPDATE, [
    webhookId,
    id,
    expect.status,
    expect.finishedAt,
    outcome.status,
    outcome.version,
    outcome.error,
    outcome.logs,
    outcome.duration_us,
    accept?.env ?? null,
    ids === null ? null : JSON.stringify(ids),
    outcome.events,
    now,
  ]);
  if (row === undefined) return null;
  let duplicates: Duplicate[] | null = null;
  let status: RequestStatus = outcome.status;
  if (accept !== null) {
    duplicates = yield* acceptEvents({ ...accept, now, seeded: false });
    const ignored = new Set(duplicates?.map(([index]) => index));
    for (const [index, event] of accept.events.entries()) {
      if (!ignored.has(index)) yield* run(INSERT_LINK, [accept.env, event[0], webhookId, id]);
    }
    if (duplicates !== null) {
      for (const [index, firstId] of duplicates) ids![index] = firstId;
      if (duplicates.length === accept.events.length) status = "duplicate";
      yield* run(SET_DUPLICATE, [webhookId, id, status, JSON.stringify(ids)]);
    }
  }
  // What is pending was not counted yet.
  if (expect.status !== "pending") yield* uncountRequest(webhookId, args.receivedAt, expect.status);
  yield* countRequest(webhookId, args.receivedAt, status);
  return { status, duplicates };
}

// The outcome that is there first is kept: the row is locked by its own update.
const UPDATE = `UPDATE webhook_requests SET status = $5, version = $6, error = $7, logs = $8, duration_us = $9,
  env = $10, event_ids = $11, events = $12, finished_at = $13
  WHERE webhook_id = $1 AND id = $2 AND status = $3 AND finished_at IS NOT DISTINCT FROM $4 RETURNING id`;

const SET_DUPLICATE =
  "UPDATE webhook_requests SET status = $3, event_ids = $4 WHERE webhook_id = $1 AND id = $2";

const INSERT_LINK =
  "INSERT INTO webhook_events (env, event_id, webhook_id, request_id) VALUES ($1, $2, $3, $4)";
