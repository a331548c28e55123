/** `/v1/environments`: production, the branches, and those that were made for other purposes. */
import * as z from "zod";
import type { Actor } from "../access/actor.ts";
import { environmentNameProblem } from "../access/environments.ts";
import { ServiceError } from "../errors.ts";
import { type Route, type RouteRequest, route } from "../http/route.ts";
import type { EnvironmentRecord } from "../store/access-records.ts";
import { isoTime, one, pageOf, toIso } from "./answers.ts";
import { pageById } from "./functions.ts";
import { idCursor, limitParameter } from "./parameters.ts";
import type { ApiParts } from "./parts.ts";

/** The bounds of the setting `--max-request-size`. */
const REQUEST_BYTES = { min: 1_024, max: 64 * 1024 * 1024 };

const environmentSchema = z
  .object({
    id: z.string(),
    name: z.string().describe("What `x-svc-env` and the query parameter `env` take."),
    type: z
      .enum(["production", "branches", "branch", "named", "development"])
      .describe("`branches` is the parent of all branch environments, to which their keys belong."),
    created_at: isoTime,
    created_by: z.string().nullable(),
    archived_at: isoTime.nullable(),
    last_active_at: isoTime.nullable().describe("When a key was last used in it, to the minute."),
    auto_archive: z.boolean().describe("Whether it is archived by itself after a time without use."),
    max_request_bytes: z
      .int()
      .nullable()
      .describe("Largest request that sends events; null: the service's setting."),
  })
  .meta({ id: "Environment" });

const createSchema = z.strictObject({
  name: z.string().max(200).describe("Of a branch: what the version control calls it."),
  type: z.enum(["branch", "named"]),
});

const updateSchema = z.strictObject({
  auto_archive: z.boolean().optional().describe("Branches only."),
  max_request_bytes: z
    .int()
    .min(REQUEST_BYTES.min)
    .max(REQUEST_BYTES.max)
    .nullable()
    .optional()
    .describe("Takes the right to administer."),
});

export type EnvironmentParts = Pick<ApiParts, "access" | "store" | "clock" | "nextId" | "config">;

export function environmentRoutes(parts: EnvironmentParts): Route[] {
  const { access, store, clock, nextId, config } = parts;

  const find = (id: string | undefined) => {
    const environment = access.environments.byId(id ?? "");
    if (environment === undefined) {
      throw new ServiceError("environment_not_found", "There is no environment of that id.");
    }
    return environment;
  };
  const answer = async (id: string) => {
    await access.reload();
    return { body: { data: describe(find(id)) } };
  };
  const author = ({ actor, remoteAddress }: Pick<RouteRequest, "actor" | "remoteAddress">) =>
    access.author(actor, remoteAddress);

  /** Archive it, or take it back. What is so already stays as it is. */
  const archive = async (request: RouteRequest<unknown, unknown>, archived: boolean) => {
    const { id, type, name } = find(request.params.id);
    if (type !== "branch" && type !== "named") {
      throw new ServiceError("conflict", `The environment ${name} is always there: it cannot be archived.`);
    }
    if (type === "named") mustAdminister(request.actor, "An environment that is no branch");
    await store.execute("archiveEnvironment", { author: author(request), id, archived });
    const answered = await answer(id);
    // It stays in the archive only when there is no room for it.
    if (!archived && find(id).archived_at !== null) throw tooMany();
    return answered;
  };

  return [
    route({
      method: "GET",
      path: "/v1/environments",
      access: "api",
      permission: "read",
      account: true,
      summary: "List environments, production first",
      query: z.object({
        archived: z
          .enum(["true", "false"])
          .optional()
          .describe("Only those that are archived, or only those that are not."),
        limit: limitParameter,
        cursor: idCursor,
      }),
      response: pageOf(environmentSchema),
      handle({ query: { archived, limit, cursor } }) {
        const chosen = access.environments
          .all()
          .filter(
            ({ archived_at }) => archived === undefined || (archived_at !== null) === (archived === "true"),
          );
        return { body: pageById(chosen.map(describe), cursor, limit, place) };
      },
    }),
    route({
      method: "GET",
      path: "/v1/environments/:id",
      access: "api",
      permission: "read",
      account: true,
      summary: "Get an environment",
      response: one(environmentSchema),
      handle: ({ params }) => ({ body: { data: describe(find(params.id)) } }),
    }),
    route({
      method: "POST",
      path: "/v1/environments",
      access: "api",
      permission: "manage",
      account: true,
      summary: "Create an environment",
      description:
        "Branches also come into being by themselves, with the first sync of an app under their name. An environment of the type `named` takes the right to administer.",
      body: createSchema,
      maxBodyBytes: 16 * 1024,
      response: one(environmentSchema),
      async handle(request) {
        const { name, type } = request.body;
        if (config.mode === "dev") {
          throw new ServiceError(
            "conflict",
            "`svc dev` has one environment. `svc start` has as many as you create.",
          );
        }
        if (type === "named") mustAdminister(request.actor, "An environment that is no branch");
        const problem = environmentNameProblem(name);
        if (problem !== null) {
          throw new ServiceError("invalid_request", `\`name\`: ${problem}.`, { field: "name" });
        }
        const id = nextId(clock.now());
        const created = await store.execute("createEnvironment", { author: author(request), id, name, type });
        if (created === "exists") throw nameTaken(access.environments.byName(name));
        if (created === "too_many") throw tooMany();
        return answer(id);
      },
    }),
    route({
      method: "PATCH",
      path: "/v1/environments/:id",
      access: "api",
      permission: "manage",
      account: true,
      summary: "Change the settings of an environment",
      body: updateSchema,
      maxBodyBytes: 16 * 1024,
      response: one(environmentSchema),
      async handle(request) {
        const { id, type } = find(request.params.id);
        const { auto_archive, max_request_bytes } = request.body;
        if (auto_archive !== undefined && type !== "branch") {
          throw new ServiceError("conflict", "Only branches are archived by themselves.");
        }
        if (max_request_bytes !== undefined) {
          mustAdminister(request.actor, "The size of requests");
          if (type === "branches") {
            throw new ServiceError("conflict", "The parent of the branches receives no events itself.");
          }
        }
        const change = {
          ...(auto_archive !== undefined && { auto_archive: auto_archive ? (1 as const) : (0 as const) }),
          ...(max_request_bytes !== undefined && { max_request_bytes }),
        };
        await store.execute("updateEnvironment", { author: author(request), id, change });
        return answer(id);
      },
    }),
    route({
      method: "POST",
      path: "/v1/environments/:id/archive",
      access: "api",
      permission: "manage",
      account: true,
      summary: "Archive an environment",
      description:
        "It takes no more events, syncs and requests. Runs under way go on to their end, and what it holds can still be looked at.",
      response: one(environmentSchema),
      handle: (request) => archive(request, true),
    }),
    route({
      method: "POST",
      path: "/v1/environments/:id/unarchive",
      access: "api",
      permission: "manage",
      account: true,
      summary: "Take an environment back from the archive",
      response: one(environmentSchema),
      handle: (request) => archive(request, false),
    }),
  ];
}

function describe(environment: EnvironmentRecord) {
  const { id, name, type, created_by, auto_archive, max_request_bytes } = environment;
  return {
    id,
    name,
    type,
    created_at: toIso(environment.created_at),
    created_by,
    archived_at: toIso(environment.archived_at),
    last_active_at: toIso(environment.last_active_at),
    auto_archive: auto_archive === 1,
    max_request_bytes,
  };
}

/** Those that are always there come first, the others follow in the order they were made. */
function place({ id, type }: ReturnType<typeof describe>): string {
  return `${type === "production" || type === "development" ? 0 : type === "branches" ? 1 : 2} ${id}`;
}

function mustAdminister(actor: Actor, what: string): void {
  if (actor.permissions.has("administer")) return;
  throw new ServiceError("forbidden", `${what} takes the right to administer.`, { permission: "administer" });
}

function tooMany(): ServiceError {
  return new ServiceError("conflict", "There are too many environments: archive some.");
}

function nameTaken(environment: EnvironmentRecord | undefined): ServiceError {
  return new ServiceError(
    "conflict",
    environment?.archived_at == null
      ? "There is an environment of that name already."
      : "There is an environment of that name in the archive: take it back from there.",
    { field: "name" },
  );
}
