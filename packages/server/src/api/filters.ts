/** `/v1/filters/test`: whether filters of a key or webhook let somebody in, before they are saved. */
import * as z from "zod";
import { eventFilterSchema, ipFilterSchema } from "../access/gate/allow-deny.ts";
import { parseIp } from "../access/gate/ip-address.ts";
import { compileIpList } from "../access/gate/ip-list.ts";
import { compileNameList } from "../access/gate/name-list.ts";
import { type Route, route } from "../http/route.ts";
import { one } from "./answers.ts";

/** Two filters of the longest lists. */
const MAX_BODY_BYTES = 1024 * 1024;

const verdictSchema = z
  .object({
    event: z.boolean().nullable().describe("Whether the event is let in; null when none was asked about."),
    ip: z.boolean().nullable().describe("Whether the address is let in; null when none was asked about."),
  })
  .meta({ id: "FilterVerdict" });

export function filterRoutes(): Route[] {
  return [
    route({
      method: "POST",
      path: "/v1/filters/test",
      access: "api",
      permission: "read",
      summary: "Find out what filters let in",
      description: "By the code that decides about real requests. Nothing is stored.",
      body: z.strictObject({
        event_filter: eventFilterSchema.nullable().optional(),
        ip_filter: ipFilterSchema.nullable().optional(),
        event: z.string().max(256).optional().describe("Name of an event."),
        ip: z
          .string()
          .max(100)
          .refine((text) => parseIp(text) !== undefined, "expected an IPv4 or IPv6 address")
          .optional()
          .describe("Address of a sender."),
      }),
      maxBodyBytes: MAX_BODY_BYTES,
      response: one(verdictSchema),
      handle({ body }) {
        const { event_filter: names, ip_filter: addresses, event, ip } = body;
        const everything = { allow: [], deny: [] };
        return {
          body: {
            data: {
              event: event === undefined ? null : compileNameList(names ?? everything)(event),
              ip: ip === undefined ? null : compileIpList(addresses ?? everything)(ip),
            },
          },
        };
      },
    }),
  ];
}
