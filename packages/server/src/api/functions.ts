/** `/v1/functions`: what events can start. */
import * as z from "zod";
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";
import type { RegisteredFunction } from "../registry/registry.ts";
import { one, pageOf } from "./answers.ts";
import { functionStatsRoutes } from "./function-stats.ts";
import { encodeCursor, idCursor, limitParameter } from "./parameters.ts";
import type { ApiParts } from "./parts.ts";

const functionSchema = z
  .object({
    id: z.string().describe("`<app>-<function>`"),
    name: z.string(),
    app: z.string(),
    url: z.string().describe("Where it is called."),
    triggers: z.array(
      z.union([
        z.object({ event: z.string(), expression: z.string().optional() }),
        z.object({ cron: z.string() }),
      ]),
    ),
    retries: z.int(),
    paused: z.boolean(),
  })
  .meta({ id: "Function" });

const functionDetailSchema = functionSchema
  .extend({ config: z.record(z.string(), z.unknown()).describe("As the app registered it.") })
  .meta({ id: "FunctionDetail" });

/** The data of an invocation has the bounds of an event. */
const MAX_INVOKE_BYTES = 512 * 1024;

type FunctionParts = Pick<ApiParts, "registry" | "operations" | "access" | "store" | "clock">;

export function functionRoutes(parts: FunctionParts): Route[] {
  const { registry, operations } = parts;
  const find = (env: string, id: string | undefined): RegisteredFunction => {
    const found = registry.find(env, id ?? "");
    if (found === undefined) throw new ServiceError("not_found", "There is no such function.");
    return found;
  };

  return [
    route({
      method: "GET",
      path: "/v1/functions",
      access: "api",
      permission: "read",
      summary: "List functions, by id",
      query: z.object({
        app: z.string().max(256).optional().describe("Id of an app."),
        limit: limitParameter,
        cursor: idCursor,
      }),
      response: pageOf(functionSchema),
      handle({ env, query }) {
        const functions = registry
          .functions(env)
          .filter((fn) => !query.app || fn.appId === query.app)
          .map(describe);
        return { body: pageById(functions, query.cursor, query.limit) };
      },
    }),
    route({
      method: "GET",
      path: "/v1/functions/:id",
      access: "api",
      permission: "read",
      summary: "Get a function",
      response: one(functionDetailSchema),
      handle({ env, params }) {
        const found = find(env, params.id);
        return { body: { data: { ...describe(found), config: found.config } } };
      },
    }),
    route({
      method: "POST",
      path: "/v1/functions/:id/invoke",
      access: "api",
      permission: "send",
      summary: "Run a function, whatever its triggers",
      body: z.object({
        data: z.record(z.string(), z.unknown()).default({}).describe("Becomes `event.data`."),
      }),
      maxBodyBytes: MAX_INVOKE_BYTES,
      response: one(z.object({ event_id: z.string(), run_id: z.string() })),
      async handle({ env, params, body }) {
        const { id } = find(env, params.id);
        const { eventId, runId } = await operations.invoke(env, id, body.data);
        return { body: { data: { event_id: eventId, run_id: runId } } };
      },
    }),
    ...functionStatsRoutes(parts),
    pauseRoute(parts, true),
    pauseRoute(parts, false),
  ];
}

function pauseRoute({ registry, operations, access }: FunctionParts, paused: boolean): Route {
  return route({
    method: "POST",
    path: `/v1/functions/:id/${paused ? "pause" : "resume"}`,
    access: "api",
    permission: "manage",
    summary: paused ? "Pause a function" : "Resume a paused function",
    description: paused
      ? "Events that come from now on start no runs of it. Runs that are there already go on, and it can be invoked by hand."
      : "Events that come from now on start runs of it again. Those that came while it was paused do not.",
    response: one(functionSchema),
    async handle({ env, params, actor, remoteAddress }) {
      const id = params.id ?? "";
      const author = access.author(actor, remoteAddress);
      const found = (await operations.pauseFunction(author, env, id, paused)) && registry.find(env, id);
      if (!found) throw new ServiceError("not_found", "There is no such function.");
      return { body: { data: describe(found) } };
    },
  });
}

function describe(fn: RegisteredFunction) {
  const { id, name, appId, url, config, maxAttempts, paused } = fn;
  return { id, name, app: appId, url, triggers: config.triggers, retries: maxAttempts - 1, paused };
}

/**
 * A page of things held in memory.
 * @param place what they are ordered by, different for each; their ids if not given
 */
export function pageById<T extends { id: string }>(
  all: readonly T[],
  after: string | undefined,
  limit: number,
  place: (one: T) => string = ({ id }) => id,
) {
  const sorted = [...all].sort((a, b) => (place(a) < place(b) ? -1 : 1));
  const left = after === undefined ? sorted : sorted.filter((one) => place(one) > after);
  const data = left.slice(0, limit);
  const more = left.length > limit;
  return { data, page: { cursor: more ? encodeCursor(place(data.at(-1)!)) : null, has_more: more } };
}
