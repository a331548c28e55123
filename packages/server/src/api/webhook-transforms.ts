/** Versions of a webhook's transform, and trying one out. */
import * as z from "zod";
import { ServiceError } from "../errors.ts";
import { type Route, type RouteRequest, route } from "../http/route.ts";
import { REQUEST_STATUSES } from "../store/webhook-records.ts";
import type { Webhook } from "../webhooks/directory.ts";
import type { Interpreted } from "../webhooks/interpret.ts";
import { payloadOf, tryTransform } from "../webhooks/try-transform.ts";
import { isoTime, one, pageOf, toIso } from "./answers.ts";
import { cursorParameter, encodeCursor, limitParameter, MAX_PAGE_BYTES } from "./parameters.ts";
import type { ApiParts } from "./parts.ts";
import { describeError, logLineSchema, transformErrorSchema, webhookSchema } from "./webhook-answer.ts";
import { requireHeld } from "./webhook-scope.ts";
import { transformSchema } from "./webhooks.ts";

const versionSchema = z
  .object({
    version: z.int(),
    transform: z.string(),
    created_at: isoTime,
    created_by: z.string().nullable(),
    restored_from: z.int().nullable().describe("The version that it repeats."),
    current: z.boolean(),
  })
  .meta({ id: "WebhookVersion" });

const eventSchema = z.object({
  name: z.string(),
  data: z.record(z.string(), z.unknown()),
  id: z.string().nullable(),
  ts: z.number().describe("ms since 1970"),
});

const resultShape = {
  status: z.enum(["events", "ignored", "filtered", "failed"]),
  events: z.array(eventSchema),
  logs: z.array(logLineSchema),
  error: transformErrorSchema.nullable(),
  duration_ms: z.number(),
};
const resultSchema = z.object(resultShape).meta({ id: "TransformResult" });

/** A body at its limit as a JSON string, and the transform. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** Requests a new transform is tried on before it is saved. */
const MAX_TRIED = 20;

export function webhookTransformRoutes(
  parts: Pick<ApiParts, "webhooks" | "access" | "store" | "clock">,
): Route[] {
  const { webhooks, access, store, clock } = parts;
  const { operations, sandbox } = webhooks;
  const find = (request: RouteRequest<unknown, unknown>): Webhook =>
    requireHeld(request, operations.directory.byId(request.params.id ?? ""));
  const lane = ({ actor }: RouteRequest<unknown, unknown>) => `${actor.kind} ${actor.id}`;

  return [
    route({
      method: "POST",
      path: "/v1/webhooks/test",
      access: "api",
      permission: "manage",
      summary: "Run a transform on a request put together by hand",
      description: "Nothing is stored, and nothing is triggered.",
      body: z.strictObject({
        transform: transformSchema,
        body: z.json().describe("A string is the raw body; anything else is sent as JSON."),
        body_encoding: z
          .enum(["utf8", "base64"])
          .default("utf8")
          .describe("`base64` when the body is a string that stands for bytes."),
        headers: z.record(z.string().max(200), z.string().max(20_000)).default({}),
        query: z.string().max(20_000).default(""),
      }),
      maxBodyBytes: MAX_BODY_BYTES,
      response: one(resultSchema),
      async handle(request) {
        const { transform, body, body_encoding: encoding, headers, query } = request.body;
        const payload = payloadOf(body, headers, query, encoding);
        const tried = await tryTransform(sandbox, lane(request), transform, payload, clock.now());
        return { body: { data: describeResult(tried, null) } };
      },
    }),
    route({
      method: "POST",
      path: "/v1/webhooks/:id/try",
      access: "api",
      permission: "manage",
      summary: "Run a transform on the last requests of a webhook",
      description:
        "Shows what would become of them, beside what did. Nothing is stored, and nothing is triggered. Takes the right to read, too.",
      body: z.strictObject({
        transform: transformSchema,
        limit: z.int().min(1).max(MAX_TRIED).default(MAX_TRIED),
      }),
      maxBodyBytes: MAX_BODY_BYTES,
      response: z.object({
        data: z.array(
          z.object({
            request_id: z.string(),
            received_at: isoTime,
            status_before: z.enum(REQUEST_STATUSES),
            events_before: z
              .array(eventSchema)
              .nullable()
              .describe("By the transform in use; null when it fails."),
            ...resultShape,
          }),
        ),
      }),
      async handle(request) {
        if (!request.actor.permissions.has("read")) {
          // A transform can return all that a request holds.
          throw new ServiceError("forbidden", "This takes the right to read, too.", { permission: "read" });
        }
        const webhook = find(request);
        const { requests } = await store.query("listWebhookRequests", {
          webhookId: webhook.id,
          statuses: null,
          cursor: null,
          limit: request.body.limit,
        });
        const tried = [];
        // One after the other: twenty large payloads at once are more than the sandbox takes of anybody, and a burden.
        for (const { id, received_at, status } of requests) {
          const payload = await store.query("findWebhookRequest", { id });
          if (payload === null) continue;
          const run = (source: string) => tryTransform(sandbox, lane(request), source, payload, received_at);
          const before = await run(webhook.transform);
          const after = await run(request.body.transform);
          tried.push({
            request_id: id,
            received_at: toIso(received_at),
            status_before: status,
            events_before: before.error === null ? describeResult(before, null).events : null,
            ...describeResult(after, webhook.gate),
          });
        }
        return { body: { data: tried } };
      },
    }),
    route({
      method: "GET",
      path: "/v1/webhooks/:id/versions",
      access: "api",
      permission: "read",
      summary: "List the versions of a transform, newest first",
      query: z.object({ limit: limitParameter, cursor: cursorParameter(z.int().positive()) }),
      response: pageOf(versionSchema),
      async handle(request) {
        const webhook = find(request);
        const { versions, next } = await store.query("webhookVersions", {
          webhookId: webhook.id,
          cursor: request.query.cursor ?? null,
          limit: request.query.limit,
          maxBytes: MAX_PAGE_BYTES,
        });
        const data = versions.map((each) => ({
          version: each.version,
          transform: each.transform,
          created_at: toIso(each.created_at),
          created_by: each.created_by,
          restored_from: each.restored_from,
          current: each.version === webhook.version,
        }));
        return {
          body: {
            data,
            page: { cursor: next === null ? null : encodeCursor(next), has_more: next !== null },
          },
        };
      },
    }),
    route({
      method: "POST",
      path: "/v1/webhooks/:id/versions/:version/restore",
      access: "api",
      permission: "manage",
      summary: "Use an older version of a transform again",
      description: "It becomes the next version.",
      response: one(webhookSchema.pick({ id: true, version: true, transform: true })),
      async handle(request) {
        const { id } = find(request);
        const text = request.params.version ?? "";
        if (!/^[1-9]\d{0,8}$/.test(text)) throw new ServiceError("not_found", "There is no such version.");
        const author = access.author(request.actor, request.remoteAddress);
        const { version, transform } = await operations.restore(author, id, Number(text));
        return { body: { data: { id, version, transform } } };
      },
    }),
  ];
}

function describeResult(tried: Interpreted, gate: Webhook["gate"]) {
  const refused = tried.events.find(({ name }) => gate?.admitsName?.(name) === false);
  const status =
    tried.error !== null
      ? "failed"
      : tried.events.length === 0
        ? "ignored"
        : refused !== undefined
          ? "filtered"
          : "events";
  return {
    status,
    events: tried.events.map(({ name, data, idempotencyId, ts }) => ({
      name,
      data: JSON.parse(data),
      id: idempotencyId,
      ts,
    })),
    logs: tried.logs,
    error: describeError(tried.error),
    duration_ms: tried.durationMs,
  };
}
