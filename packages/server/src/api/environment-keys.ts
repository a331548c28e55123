/** `/v1/event-keys` and `/v1/signing-keys`: the keys of an environment. All branches share those of their parent. */
import * as z from "zod";
import { keyHolder } from "../access/environments.ts";
import { eventFilterSchema, ipFilterSchema } from "../access/gate/allow-deny.ts";
import { rateLimitSchema } from "../access/gate/rate-limit.ts";
import type { SigningKey } from "../access/keys/key-ring.ts";
import { ServiceError } from "../errors.ts";
import { type Route, type RouteRequest, route } from "../http/route.ts";
import { one, pageOf } from "./answers.ts";
import { pageById } from "./functions.ts";
import {
  describeKey,
  keyFields,
  keyListQuery,
  keyName,
  type ListedKey,
  placeOfKey,
  rotateSchema,
  secretField,
} from "./key-answer.ts";
import { type KeyParts, keyChanges } from "./key-changes.ts";

const listsSchema = z.object({ allow: z.array(z.string()), deny: z.array(z.string()) }).nullable();

const eventKeySchema = z
  .object({
    ...keyFields,
    event_filter: listsSchema,
    ip_filter: listsSchema,
    rate_limit: rateLimitSchema,
  })
  .meta({ id: "EventKey" });

const signingKeySchema = z
  .object({
    ...keyFields,
    signing: z.boolean().describe("Whether calls are signed with it; the others are accepted."),
  })
  .meta({ id: "SigningKey" });

const filters = {
  event_filter: eventFilterSchema.nullable().optional(),
  ip_filter: ipFilterSchema.nullable().optional(),
  rate_limit: rateLimitSchema.optional(),
};
const createEventKey = z.strictObject({ name: keyName, ...filters });
const updateEventKey = z.strictObject({ name: keyName.optional(), ...filters });
const signingKeySettings = z.strictObject({ name: keyName });

type Request = Pick<RouteRequest, "environment" | "actor" | "remoteAddress" | "params">;

/** The environment whose keys a request is about. */
function holderOf({ environment, actor }: Request): string {
  const holder = keyHolder(environment);
  if (actor.env !== null && actor.env !== holder) {
    throw new ServiceError(
      "forbidden",
      "All branches share the keys of their parent, and the token is for one branch only.",
    );
  }
  return holder;
}

export function eventKeyRoutes(parts: KeyParts): Route[] {
  const changes = keyChanges(parts, "event");
  const describe = (listed: ListedKey) => {
    const record = listed.key.record;
    return {
      ...describeKey(listed, parts.access.environments),
      event_filter: parsed(record?.event_filter),
      ip_filter: parsed(record?.ip_filter),
      rate_limit: parsed(record?.rate_limit),
    };
  };

  return [
    ...commonRoutes(parts, "event", eventKeySchema, describe),
    route({
      method: "POST",
      path: "/v1/event-keys",
      access: "api",
      permission: "administer",
      summary: "Create an event key",
      body: createEventKey,
      response: one(eventKeySchema.extend(secretField)),
      async handle(request) {
        const { name, ...given } = request.body;
        const { secret, listed } = await changes.create(request, {
          name,
          environment: parts.access.environments.byId(holderOf(request))!,
          ...asStored(given),
        });
        return { body: { data: { ...describe(listed), secret } } };
      },
    }),
    route({
      method: "PATCH",
      path: "/v1/event-keys/:id",
      access: "api",
      permission: "administer",
      summary: "Change an event key",
      body: updateEventKey,
      response: one(eventKeySchema),
      async handle(request) {
        const { id } = changes.find(holderOf(request), request.params.id);
        const { name, ...given } = request.body;
        const change = { ...(name !== undefined && { name }), ...asStored(given) };
        return { body: { data: describe(await changes.update(request, id, change)) } };
      },
    }),
  ];
}

export function signingKeyRoutes(parts: KeyParts): Route[] {
  const { access, clock } = parts;
  const changes = keyChanges(parts, "signing");
  const describe = (listed: ListedKey) => {
    const [signing] = access.keys.signingKeys(listed.key.env!);
    return { ...describeKey(listed, access.environments), signing: signing === listed.key };
  };

  return [
    ...commonRoutes(parts, "signing", signingKeySchema, describe),
    route({
      method: "POST",
      path: "/v1/signing-keys",
      access: "api",
      permission: "administer",
      summary: "Create a signing key",
      description:
        "It is accepted at once, so that apps can have it before it signs; calls are signed with it once it is activated. The first key of an environment signs at once.",
      body: signingKeySettings,
      response: one(signingKeySchema.extend(secretField)),
      async handle(request) {
        const holder = holderOf(request);
        const isFirst = access.keys.signingKeys(holder).length === 0;
        const { secret, listed } = await changes.create(request, {
          name: request.body.name,
          environment: access.environments.byId(holder)!,
          signs_from: isFirst ? clock.now() : null,
        });
        return { body: { data: { ...describe(listed), secret } } };
      },
    }),
    route({
      method: "PATCH",
      path: "/v1/signing-keys/:id",
      access: "api",
      permission: "administer",
      summary: "Change the name of a signing key",
      body: signingKeySettings,
      response: one(signingKeySchema),
      async handle(request) {
        const { id } = changes.find(holderOf(request), request.params.id);
        return { body: { data: describe(await changes.update(request, id, request.body)) } };
      },
    }),
    route({
      method: "POST",
      path: "/v1/signing-keys/:id/activate",
      access: "api",
      permission: "administer",
      summary: "Sign calls with a signing key from now on",
      description: "Apps must have it by now. The key that signed before stays accepted until it is revoked.",
      response: one(signingKeySchema),
      async handle(request) {
        const holder = holderOf(request);
        const { id, expiresAt } = changes.find(holder, request.params.id);
        if (expiresAt !== null) {
          throw new ServiceError("conflict", "This key has been rotated and is about to end.");
        }
        const signs_from = firstToSign(access.keys.signingKeys(holder), clock.now());
        return { body: { data: describe(await changes.update(request, id, { signs_from })) } };
      },
    }),
  ];
}

/** Listing, rotating and revoking, which are alike. */
function commonRoutes<Answer extends ReturnType<typeof describeKey>>(
  parts: KeyParts,
  kind: "event" | "signing",
  schema: typeof eventKeySchema | typeof signingKeySchema,
  describe: (listed: ListedKey) => Answer,
): Route[] {
  const { access, clock } = parts;
  const changes = keyChanges(parts, kind);
  const path = `/v1/${kind}-keys`;
  const what = kind === "event" ? "an event key" : "a signing key";
  return [
    route({
      method: "GET",
      path,
      access: "api",
      permission: "administer",
      summary: `List ${kind} keys, those of the configuration first`,
      query: keyListQuery,
      response: pageOf(schema),
      handle(request) {
        const { limit, cursor } = request.query;
        const keys = changes.list(holderOf(request)).map(describe);
        return { body: pageById(keys, cursor, limit, placeOfKey) };
      },
    }),
    route({
      method: "POST",
      path: `${path}/:id/rotate`,
      access: "api",
      permission: "administer",
      summary: `Put a new key in the place of ${what}`,
      description:
        kind === "event"
          ? "The new one has the same name, lists and limit. The old one stays valid for the grace time."
          : "If the old key signs, the new one signs at once: apps that do not have it refuse calls until they do. To change it without that, create a key, give it to the apps, activate it. The old one stays accepted for the grace time.",
      body: rotateSchema,
      response: one(schema.extend(secretField)),
      async handle(request) {
        const old = changes.find(holderOf(request), request.params.id);
        const signing = kind === "signing" ? access.keys.signingKeys(old.env!) : [];
        const { secret, listed } = await changes.rotate(request, old, request.body.grace, {
          environment: access.environments.byId(old.env!)!,
          event_filter: old.record?.event_filter ?? null,
          ip_filter: old.record?.ip_filter ?? null,
          rate_limit: old.record?.rate_limit ?? null,
          signs_from: signing[0]?.id === old.id ? firstToSign(signing, clock.now()) : null,
        });
        return { body: { data: { ...describe(listed), secret } } };
      },
    }),
    route({
      method: "DELETE",
      path: `${path}/:id`,
      access: "api",
      permission: "administer",
      summary: `Revoke ${what}`,
      description: "At once: the next request with it is refused.",
      async handle(request) {
        await changes.revoke(request, changes.find(holderOf(request), request.params.id).id);
        return {};
      },
    }),
  ];
}

/** Since when a key signs that is to sign from now on: later than any other, even within a millisecond. */
function firstToSign([signing]: readonly SigningKey[], now: number): number {
  return Math.max(now, (signing?.signsFrom ?? 0) + 1);
}

/** Lists and limits as JSON texts; what was not given stays out. */
function asStored(given: { event_filter?: unknown; ip_filter?: unknown; rate_limit?: unknown }) {
  const stored: { event_filter?: string | null; ip_filter?: string | null; rate_limit?: string | null } = {};
  for (const field of ["event_filter", "ip_filter", "rate_limit"] as const) {
    const value = given[field];
    if (value !== undefined) stored[field] = value === null ? null : JSON.stringify(value);
  }
  return stored;
}

function parsed(json: string | null | undefined): unknown {
  return json == null ? null : JSON.parse(json);
}
