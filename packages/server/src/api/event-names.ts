import * as z from "zod";
import { type Route, route } from "../http/route.ts";
import { one } from "./answers.ts";
import type { ApiParts } from "./parts.ts";

/** Each name costs a jump in an index, about 10 µs. */
const MAX_NAMES = 200;

/** `GET /v1/events/names`: what to choose from when events are filtered. */
export function eventNames({ store }: Pick<ApiParts, "store">): Route {
  return route({
    method: "GET",
    path: "/v1/events/names",
    access: "api",
    permission: "read",
    summary: "List the names of stored events, in order",
    query: z.object({
      prefix: z.string().max(256).default("").describe("How the names begin."),
      limit: z.coerce.number().int().min(1).max(MAX_NAMES).default(50),
    }),
    response: one(z.array(z.string())),
    async handle({ env, query }) {
      return { body: { data: await store.query("eventNames", { env, ...query }) } };
    },
  });
}
