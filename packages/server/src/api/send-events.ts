import * as z from "zod";
import { type Route, route } from "../http/route.ts";
import { one } from "./answers.ts";
import type { ApiParts } from "./parts.ts";

/** As large as a send with an event key may be unless told otherwise. */
const MAX_BYTES = 512 * 1024;

/** `POST /v1/events`: sending with the rights of a person or a token, where no event key is at hand. */
export function sendEvents({ operations }: Pick<ApiParts, "operations">): Route {
  return route({
    method: "POST",
    path: "/v1/events",
    access: "api",
    permission: "send",
    summary: "Send events without an event key",
    description: "One event or an array of them, with the rules of `/e/{event_key}`. Its source is `api`.",
    body: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
    maxBodyBytes: MAX_BYTES,
    response: one(z.object({ ids: z.array(z.string()).describe("Id of each event, in the order sent.") })),
    async handle({ env, body }) {
      return { body: { data: { ids: await operations.send(env, Buffer.from(JSON.stringify(body))) } } };
    },
  });
}
