/** Webhooks and their requests as the API shows them. */
import * as z from "zod";
import { eventFilterSchema, ipFilterSchema } from "../access/gate/allow-deny.ts";
import { rateLimitSchema } from "../access/gate/rate-limit.ts";
import type { WebhookActivity } from "../store/queries/webhook-activity.ts";
import { REQUEST_STATUSES, type WebhookRequestRecord } from "../store/webhook-records.ts";
import type { Webhook } from "../webhooks/directory.ts";
import type { RequestError } from "../webhooks/interpret.ts";
import { isoTime, toIso } from "./answers.ts";

export const webhookSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    environment: z.string().describe("`branches` for one that all branch environments share."),
    url: z
      .string()
      .nullable()
      .describe(
        "Where its producer sends to; null for those who may not manage it, and when it was encrypted with another secret key: rotate it then.",
      ),
    transform: z.string(),
    version: z.int().describe("Of the transform."),
    event_filter: eventFilterSchema.nullable(),
    ip_filter: ipFilterSchema.nullable(),
    rate_limit: rateLimitSchema,
    paused: z.boolean(),
    created_at: isoTime,
    created_by: z.string().nullable(),
    updated_at: isoTime,
    last_received_at: isoTime.nullable(),
    requests_24h: z
      .partialRecord(z.enum(REQUEST_STATUSES), z.int())
      .describe("Requests of the last 24 hours by their outcome as it is now."),
  })
  .meta({ id: "Webhook" });

/** @param url null for those who may not know it */
export function describeWebhook(
  webhook: Webhook,
  environment: string,
  url: string | null,
  activity: WebhookActivity | undefined,
) {
  const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));
  return {
    id: webhook.id,
    name: webhook.name,
    environment,
    url,
    transform: webhook.transform,
    version: webhook.version,
    event_filter: parsed(webhook.event_filter),
    ip_filter: parsed(webhook.ip_filter),
    rate_limit: parsed(webhook.rate_limit),
    paused: webhook.paused_at !== null,
    created_at: toIso(webhook.created_at),
    created_by: webhook.created_by,
    updated_at: toIso(webhook.updated_at),
    last_received_at: toIso(activity?.lastReceivedAt ?? null),
    requests_24h: activity?.counts ?? {},
  };
}

export const transformErrorSchema = z
  .object({
    kind: z
      .string()
      .describe(
        "`syntax`, `runtime`, `timeout`, `memory`, `result`, `throttled`, `too_large`, `crashed`, `invalid_event`, `event_filter`, `environment`",
      ),
    message: z.string(),
    line: z.int().nullable().describe("In the source of the transform, from 1."),
    column: z.int().nullable(),
    stack: z.string().nullable(),
  })
  .meta({ id: "TransformError" });

export const logLineSchema = z.object({ level: z.string(), text: z.string() }).meta({ id: "LogLine" });

export function describeError(error: RequestError | null) {
  if (error === null) return null;
  const { kind, message, line = null, column = null, stack = null } = error;
  return { kind, message, line, column, stack };
}

export const webhookRequestSchema = z
  .object({
    id: z.string(),
    webhook_id: z.string(),
    received_at: isoTime,
    address: z.string(),
    size: z.int().describe("Of the body, bytes."),
    branch: z.string().nullable().describe("The branch environment that it names."),
    status: z.enum(REQUEST_STATUSES),
    error: transformErrorSchema.nullable(),
    logs: z.array(logLineSchema),
    duration_ms: z.number().nullable(),
    version: z.int().nullable().describe("Of the transform that made the outcome."),
    environment: z.string().nullable().describe("Where its events went."),
    event_ids: z.array(z.string()),
    finished_at: isoTime.nullable(),
  })
  .meta({ id: "WebhookRequest" });

/** @param environment the name of where its events went */
export function describeRequest(request: Omit<WebhookRequestRecord, "events">, environment: string | null) {
  return {
    id: request.id,
    webhook_id: request.webhook_id,
    received_at: toIso(request.received_at),
    address: request.address,
    size: request.size,
    branch: request.branch,
    status: request.status,
    error: describeError(request.error === null ? null : JSON.parse(request.error)),
    logs: request.logs === null ? [] : JSON.parse(request.logs),
    duration_ms: request.duration_us === null ? null : request.duration_us / 1_000,
    version: request.version,
    environment,
    event_ids: request.event_ids === null ? [] : JSON.parse(request.event_ids),
    finished_at: toIso(request.finished_at),
  };
}
