/** The inbox of a webhook: requests as they came, and what became of them. */
import * as z from "zod";
import type { Actor } from "../access/actor.ts";
import { ServiceError } from "../errors.ts";
import { type Route, type RouteRequest, route } from "../http/route.ts";
import type { FullWebhookRequest } from "../store/queries/find-webhook-request.ts";
import { REQUEST_STATUSES, type RequestStatus } from "../store/webhook-records.ts";
import type { RequestOutcome } from "../webhooks/receiver.ts";
import { one, pageOf, pageText } from "./answers.ts";
import { cursorParameter, idCursor, limitParameter, listParameter } from "./parameters.ts";
import type { ApiParts } from "./parts.ts";
import { describeRequest, webhookRequestSchema } from "./webhook-answer.ts";
import { requireHeld } from "./webhook-scope.ts";

const isStatus = (text: string): text is RequestStatus =>
  (REQUEST_STATUSES as readonly string[]).includes(text);

const detailSchema = webhookRequestSchema
  .extend({
    method: z.string(),
    path: z.string().describe("Without the key."),
    query: z.string(),
    headers: z
      .record(z.string(), z.string())
      .describe(
        "By canonical name. Those with credentials have `[hidden]` for people and tokens that may not manage webhooks.",
      ),
    body: z.string(),
    body_encoding: z.enum(["utf8", "base64"]),
    events: z.unknown().describe("What the transform returned, while it is routed nowhere."),
  })
  .meta({ id: "WebhookRequestDetail" });

const outcomeSchema = z
  .object({ status: z.enum(REQUEST_STATUSES), event_ids: z.array(z.string()) })
  .meta({ id: "WebhookRequestOutcome" });

/** What producers prove themselves with: as good as the address of the webhook. */
const CREDENTIALS = /^(authorization|proxy-authorization|cookie)$|token|secret|api-key|password/i;

/** The headers of a request as an actor may see them. */
function shownHeaders(headers: string, actor: Actor): Record<string, string> {
  const parsed = JSON.parse(headers) as Record<string, string>;
  if (actor.permissions.has("manage")) return parsed;
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [name, CREDENTIALS.test(name) ? "[hidden]" : value]),
  );
}

export function webhookRequestRoutes(parts: Pick<ApiParts, "webhooks" | "access" | "store">): Route[] {
  const { webhooks, access, store } = parts;
  const { directory } = webhooks.operations;
  const nameOf = (env: string | null) => (env === null ? null : access.environments.nameOf(env));

  const find = async (request: RouteRequest<unknown, unknown>): Promise<FullWebhookRequest> => {
    const found = await store.query("findWebhookRequest", { id: request.params.id ?? "" });
    requireHeld(request, found === null ? undefined : directory.byId(found.webhook_id));
    return found!;
  };
  const answer = ({ status, eventIds }: RequestOutcome) => ({
    body: { data: { status, event_ids: eventIds } },
  });

  return [
    route({
      method: "GET",
      path: "/v1/webhooks/:id/requests",
      access: "api",
      permission: "read",
      summary: "List the requests of a webhook, newest first",
      query: z.object({
        status: listParameter("Statuses, separated by commas.", isStatus, "statuses of requests"),
        limit: limitParameter,
        cursor: idCursor,
      }),
      response: pageOf(webhookRequestSchema),
      async handle(request) {
        const webhook = requireHeld(request, directory.byId(request.params.id ?? ""));
        const { status, limit, cursor } = request.query;
        const { requests, next } = await store.query("listWebhookRequests", {
          webhookId: webhook.id,
          statuses: status ?? null,
          cursor: cursor ?? null,
          limit,
        });
        const rows = requests.map((each) => JSON.stringify(describeRequest(each, nameOf(each.env))));
        return { body: pageText(rows, next) };
      },
    }),
    route({
      method: "POST",
      path: "/v1/webhooks/:id/replay",
      access: "api",
      permission: "send",
      summary: "Run the transform again on all requests of some statuses",
      description:
        "At most `limit` at once, newest first: call it again with the `cursor` of the answer until that is null.",
      body: z.strictObject({
        status: z
          .array(z.enum(REQUEST_STATUSES).exclude(["pending", "accepted", "duplicate"]))
          .min(1)
          .default(["failed"]),
        limit: z.int().min(1).max(500).default(200),
        cursor: cursorParameter(z.string().max(100)).nullable(),
      }),
      response: one(
        z.object({
          outcomes: z.partialRecord(z.enum(REQUEST_STATUSES), z.int()),
          skipped: z.int().describe("Requests that got another outcome meanwhile."),
          cursor: z.string().nullable(),
        }),
      ),
      async handle(request) {
        const webhook = requireHeld(request, directory.byId(request.params.id ?? ""));
        const { status, cursor, limit } = request.body;
        const replayed = await webhooks.operations.replayMany(webhook, status, cursor ?? null, limit);
        const { outcomes, skipped, next } = replayed;
        return {
          body: {
            data: {
              outcomes,
              skipped,
              cursor: next === null ? null : Buffer.from(JSON.stringify(next)).toString("base64url"),
            },
          },
        };
      },
    }),
    route({
      method: "GET",
      path: "/v1/webhooks/requests/:id",
      access: "api",
      permission: "read",
      summary: "Get a request with its payload",
      response: one(detailSchema),
      async handle(request) {
        const found = await find(request);
        const { method, path, query, headers, body, body_encoding, events } = found;
        return {
          body: {
            data: {
              ...describeRequest(found, nameOf(found.env)),
              method,
              path,
              query,
              headers: shownHeaders(headers, request.actor),
              body,
              body_encoding,
              events: events === null ? null : JSON.parse(events),
            },
          },
        };
      },
    }),
    route({
      method: "POST",
      path: "/v1/webhooks/requests/:id/replay",
      access: "api",
      permission: "send",
      summary: "Run the transform in use on a request again",
      description:
        "What it accepts is a new event, unless the transform gives it the `id` of one that is there.",
      response: one(outcomeSchema),
      async handle(request) {
        return answer(await webhooks.operations.replay(await find(request)));
      },
    }),
    route({
      method: "POST",
      path: "/v1/webhooks/requests/:id/route",
      access: "api",
      permission: "send",
      summary: "Send the events of an unrouted request to a branch environment",
      body: z.strictObject({ environment: z.string().max(200) }),
      response: one(outcomeSchema),
      async handle(request) {
        const found = await find(request);
        // A token of one environment has come here only if that is the webhook's.
        if (request.body.environment === "") {
          throw new ServiceError("invalid_request", "`environment` must not be empty.", {
            field: "environment",
          });
        }
        return answer(await webhooks.operations.route(found, request.body.environment));
      },
    }),
  ];
}
