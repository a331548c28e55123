/** `/v1/webhooks`: addresses that producers post to, each with its transform. */
import * as z from "zod";
import { keyHolder } from "../access/environments.ts";
import { eventFilterSchema, ipFilterSchema } from "../access/gate/allow-deny.ts";
import { rateLimitSchema } from "../access/gate/rate-limit.ts";
import { ServiceError } from "../errors.ts";
import { type Route, type RouteRequest, route } from "../http/route.ts";
import { fitting } from "../store/newest-first.ts";
import type { Webhook } from "../webhooks/directory.ts";
import { MAX_SOURCE_BYTES } from "../webhooks/sandbox/sandbox.ts";
import { one, pageOf } from "./answers.ts";
import { pageById } from "./functions.ts";
import { keyName } from "./key-answer.ts";
import { encodeCursor, idCursor, limitParameter, MAX_PAGE_BYTES } from "./parameters.ts";
import type { ApiParts } from "./parts.ts";
import { describeWebhook, webhookSchema } from "./webhook-answer.ts";
import { requireHeld } from "./webhook-scope.ts";

export const transformSchema = z
  .string()
  .min(1)
  .max(MAX_SOURCE_BYTES)
  .describe("JavaScript or TypeScript with a function `transform(evt, headers, queryParams, raw)`.");

const settings = {
  event_filter: eventFilterSchema.nullable().optional(),
  ip_filter: ipFilterSchema.nullable().optional(),
  rate_limit: rateLimitSchema.optional(),
};

const MAX_BODY_BYTES = 1024 * 1024;
const HOUR_MS = 3_600_000;

export function webhookRoutes(parts: Pick<ApiParts, "webhooks" | "access" | "store" | "clock">): Route[] {
  const { webhooks, access, store, clock } = parts;

  const describeAll = async (request: RouteRequest<unknown, unknown>, some: Webhook[]) => {
    const sinceHour = Math.floor(clock.now() / HOUR_MS) - 23;
    const activity = await store.query("webhookActivity", {
      webhookIds: some.map(({ id }) => id),
      sinceHour,
    });
    const base = request.actor.permissions.has("manage") ? webhooks.baseUrl(request.headers) : null;
    return some.map((webhook) => {
      const key = base === null ? null : webhooks.operations.keyOf(webhook);
      return describeWebhook(
        webhook,
        access.environments.nameOf(webhook.env),
        key === null ? null : `${base}/e/${key}`,
        activity[webhook.id],
      );
    });
  };
  const describeOne = async (request: RouteRequest<unknown, unknown>, webhook: Webhook) => ({
    body: { data: (await describeAll(request, [webhook]))[0] },
  });
  const find = (request: RouteRequest<unknown, unknown>): Webhook =>
    requireHeld(request, webhooks.operations.directory.byId(request.params.id ?? ""));
  const author = ({ actor, remoteAddress }: RouteRequest<unknown, unknown>) =>
    access.author(actor, remoteAddress);

  return [
    route({
      method: "GET",
      path: "/v1/webhooks",
      access: "api",
      permission: "read",
      summary: "List webhooks, oldest first",
      description:
        "Those of the environment. With a branch environment, or with `branches`, those that all branches share.",
      query: z.object({ limit: limitParameter, cursor: idCursor }),
      response: pageOf(webhookSchema),
      async handle(request) {
        const holder = keyHolder(request.environment);
        requireHeld(request, { env: holder });
        const { data, page } = pageById(
          webhooks.operations.directory.heldBy(holder),
          request.query.cursor,
          request.query.limit,
        );
        // Transforms are most of it: a page of 200 could have 50 MB of them.
        const fits = fitting(
          data.map((webhook) => ({ webhook, bytes: webhook.transform.length })),
          MAX_PAGE_BYTES,
        ).map(({ webhook }) => webhook);
        const shown = await describeAll(request, fits);
        if (fits.length === data.length) return { body: { data: shown, page } };
        return { body: { data: shown, page: { cursor: encodeCursor(fits.at(-1)!.id), has_more: true } } };
      },
    }),
    route({
      method: "POST",
      path: "/v1/webhooks",
      access: "api",
      permission: "manage",
      summary: "Create a webhook",
      description:
        "Without a transform it begins with that of `starter`, or with one that names the event `<name>/request.received`.",
      body: z.strictObject({
        name: keyName,
        environment: z
          .string()
          .max(200)
          .optional()
          .describe(
            "Name of its environment; `branches` for all branches. That of the request if not given.",
          ),
        transform: transformSchema.optional(),
        starter: z.string().max(50).optional().describe("Id of a starter transform."),
        ...settings,
      }),
      maxBodyBytes: MAX_BODY_BYTES,
      response: one(webhookSchema),
      async handle(request) {
        const { name, environment: named, starter, transform, ...rest } = request.body;
        const environment = named === undefined ? request.environment : access.environments.byName(named);
        if (environment === undefined) {
          throw new ServiceError("environment_not_found", undefined, { field: "environment" });
        }
        const env = keyHolder(environment);
        requireHeld(request, { env });
        if (environment.archived_at !== null) {
          const sentence = `The environment ${environment.name} is archived.`;
          throw new ServiceError("environment_not_found", sentence, { field: "environment" });
        }
        const source = transform ?? (await starterTransform(name, starter));
        const created = await webhooks.operations.create(author(request), env, {
          name,
          transform: source,
          ...rest,
        });
        return describeOne(request, created);
      },
    }),
    route({
      method: "GET",
      path: "/v1/webhooks/starters",
      access: "api",
      permission: "read",
      summary: "List starter transforms, with sample requests of their producers",
      response: z.object({ data: z.array(starterSchema) }),
      async handle() {
        const { starters } = await import("../webhooks/starters/index.ts");
        return {
          body: {
            data: starters.map((starter) => ({
              id: starter.id,
              name: starter.name,
              summary: starter.summary,
              documentation_url: starter.documentationUrl,
              set_up: starter.setUp,
              transform: starter.transform,
              samples: starter.samples,
            })),
          },
        };
      },
    }),
    route({
      method: "GET",
      path: "/v1/webhooks/:id",
      access: "api",
      permission: "read",
      summary: "Get a webhook",
      response: one(webhookSchema),
      handle: (request) => describeOne(request, find(request)),
    }),
    route({
      method: "PATCH",
      path: "/v1/webhooks/:id",
      access: "api",
      permission: "manage",
      summary: "Change a webhook",
      description:
        "What is absent stays. Another transform becomes the next version. A paused webhook keeps its requests and runs nothing.",
      body: z.strictObject({
        name: keyName.optional(),
        transform: transformSchema.optional(),
        if_version: z
          .int()
          .optional()
          .describe("The version the change was made on: `conflict` when another one is in use."),
        paused: z.boolean().optional(),
        ...settings,
      }),
      maxBodyBytes: MAX_BODY_BYTES,
      response: one(webhookSchema),
      async handle(request) {
        const { id } = find(request);
        const { if_version: ifVersion, ...change } = request.body;
        return describeOne(request, await webhooks.operations.update(author(request), id, change, ifVersion));
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/webhooks/:id",
      access: "api",
      permission: "manage",
      summary: "Delete a webhook",
      description: "Its address ends at once.",
      async handle(request) {
        await webhooks.operations.remove(author(request), find(request).id);
        return {};
      },
    }),
    route({
      method: "POST",
      path: "/v1/webhooks/:id/rotate",
      access: "api",
      permission: "manage",
      summary: "Give a webhook a new address",
      description: "The old one ends at once.",
      response: one(webhookSchema),
      async handle(request) {
        return describeOne(request, await webhooks.operations.rotate(author(request), find(request).id));
      },
    }),
  ];
}

const starterSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    summary: z.string(),
    documentation_url: z.string(),
    set_up: z.string(),
    transform: z.string(),
    samples: z.array(
      z.object({
        name: z.string(),
        headers: z.record(z.string(), z.string()),
        query: z.string(),
        body: z.string(),
      }),
    ),
  })
  .meta({ id: "WebhookStarter" });

/** Loaded only when it is asked for: the samples take 60 ms that a start does not need. */
async function starterTransform(name: string, id: string | undefined): Promise<string> {
  const { defaultTransform, starterById } = await import("../webhooks/starters/index.ts");
  if (id === undefined) return defaultTransform(name);
  const starter = starterById(id);
  if (starter === undefined) {
    throw new ServiceError("invalid_request", `There is no starter \`${id}\`.`, { field: "starter" });
  }
  return starter.transform;
}
