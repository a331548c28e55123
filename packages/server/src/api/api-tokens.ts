/** `/v1/api-tokens`: tokens for programs that call this API, of one environment or all. */
import * as z from "zod";
import type { Actor } from "../access/actor.ts";
import { permissionsOf } from "../access/keys/key-ring.ts";
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";
import type { Scope } from "../store/access-records.ts";
import { one, pageOf } from "./answers.ts";
import { pageById } from "./functions.ts";
import {
  describeKey,
  keyFields,
  keyListQuery,
  keyName,
  type ListedKey,
  lengthOfTime,
  placeOfKey,
  rotateSchema,
  secretField,
} from "./key-answer.ts";
import { type KeyParts, keyChanges } from "./key-changes.ts";

const SCOPES = ["read", "send", "manage"] as const;

const scopesSchema = z
  .array(z.enum(SCOPES))
  .min(1)
  .max(SCOPES.length)
  .describe(
    "`read` looks, `send` sets events and runs going, `manage` changes everything that people set up, keys included.",
  );

const tokenSchema = z.object({ ...keyFields, scopes: scopesSchema }).meta({ id: "ApiToken" });

const createSchema = z.strictObject({
  name: keyName,
  scopes: scopesSchema.transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope))),
  environment: z
    .string()
    .max(200)
    .nullable()
    .default(null)
    .describe("Name of the one environment it is for; `branches` for all branches, null for everything."),
  expires_in: lengthOfTime("1m", "3650d")
    .nullable()
    .optional()
    .describe("How long it is valid, such as `90d`; null or nothing: until it is revoked."),
});

export function apiTokenRoutes(parts: KeyParts): Route[] {
  const { access, clock } = parts;
  const changes = keyChanges(parts, "api");

  const describe = (listed: ListedKey) => ({
    ...describeKey(listed, access.environments),
    scopes: scopesOf(listed.key.record?.scopes),
  });
  const environmentOf = (name: string | null) => {
    if (name === null) return null;
    const environment = access.environments.byName(name);
    if (environment === undefined || environment.archived_at !== null) {
      throw new ServiceError("environment_not_found", "There is no environment of that name in use.", {
        field: "environment",
      });
    }
    return environment;
  };

  return [
    route({
      method: "GET",
      path: "/v1/api-tokens",
      access: "api",
      permission: "administer",
      account: true,
      summary: "List API tokens, those of the configuration first",
      query: keyListQuery,
      response: pageOf(tokenSchema),
      handle: ({ query: { cursor, limit } }) => ({
        body: pageById(changes.list(null).map(describe), cursor, limit, placeOfKey),
      }),
    }),
    route({
      method: "POST",
      path: "/v1/api-tokens",
      access: "api",
      permission: "administer",
      account: true,
      summary: "Create an API token",
      description: "Nobody can give a token more rights than they have.",
      body: createSchema,
      maxBodyBytes: 16 * 1024,
      response: one(tokenSchema.extend(secretField)),
      async handle(request) {
        const { name, scopes, environment, expires_in } = request.body;
        mustHave(request.actor, scopes);
        const { secret, listed } = await changes.create(request, {
          name,
          scopes,
          environment: environmentOf(environment),
          expires_at: expires_in == null ? null : clock.now() + expires_in,
        });
        return { body: { data: { ...describe(listed), secret } } };
      },
    }),
    route({
      method: "PATCH",
      path: "/v1/api-tokens/:id",
      access: "api",
      permission: "administer",
      account: true,
      summary: "Change the name of an API token",
      body: z.strictObject({ name: keyName }),
      maxBodyBytes: 16 * 1024,
      response: one(tokenSchema),
      async handle(request) {
        const { id } = changes.find(null, request.params.id);
        return { body: { data: describe(await changes.update(request, id, request.body)) } };
      },
    }),
    route({
      method: "POST",
      path: "/v1/api-tokens/:id/rotate",
      access: "api",
      permission: "administer",
      account: true,
      summary: "Put a new token in the place of an API token",
      description:
        "The new one has the same name, rights and length of life. The old one stays valid for the grace time.",
      body: rotateSchema,
      maxBodyBytes: 16 * 1024,
      response: one(tokenSchema.extend(secretField)),
      async handle(request) {
        const old = changes.find(null, request.params.id);
        const { scopes, created_at, expires_at } = old.record!;
        // Its secret is shown to whoever rotates it.
        mustHave(request.actor, scopesOf(scopes));
        const { secret, listed } = await changes.rotate(request, old, request.body.grace, {
          scopes: scopesOf(scopes),
          environment: old.env === null ? null : access.environments.byId(old.env)!,
          expires_at: expires_at === null ? null : clock.now() + (expires_at - created_at),
        });
        return { body: { data: { ...describe(listed), secret } } };
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/api-tokens/:id",
      access: "api",
      permission: "administer",
      account: true,
      summary: "Revoke an API token",
      description: "At once: the next request with it is refused.",
      async handle(request) {
        await changes.revoke(request, changes.find(null, request.params.id).id);
        return {};
      },
    }),
  ];
}

/** Those of the configuration may do everything. */
function scopesOf(json: string | null | undefined): Scope[] {
  return json == null ? [...SCOPES] : (JSON.parse(json) as Scope[]);
}

/** @throws ServiceError `forbidden` when a token of these scopes may do what its maker may not */
function mustHave(actor: Actor, scopes: readonly Scope[]): void {
  const missing = [...permissionsOf(scopes)].filter((permission) => !actor.permissions.has(permission));
  if (missing.length === 0) return;
  throw new ServiceError(
    "forbidden",
    `A token cannot be given the right to ${missing.join(" and to ")} by somebody who does not have it.`,
    { field: "scopes" },
  );
}
