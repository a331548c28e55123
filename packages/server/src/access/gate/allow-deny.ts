/** The filters of a key or webhook as the API takes them: whose requests and which events it lets in. */
import * as z from "zod";
import { ipRange, MAX_IP_ENTRIES } from "./ip-list.ts";
import { MAX_NAME_ENTRIES, namePattern } from "./name-list.ts";

/** For `compileNameList`. */
export const eventFilterSchema = z
  .strictObject({
    allow: z
      .array(namePattern)
      .max(MAX_NAME_ENTRIES)
      .default([])
      .describe("Events that are let in; all when it is empty."),
    deny: z
      .array(namePattern)
      .max(MAX_NAME_ENTRIES)
      .default([])
      .describe("Events that are refused, whatever `allow` says."),
  })
  .describe("Which events are let in, by name: `shop/order.placed`, `shop/*`, `shop.*` or `*`.")
  .meta({ id: "EventFilter" });

/** For `compileIpList`. */
export const ipFilterSchema = z
  .strictObject({
    allow: z
      .array(ipRange)
      .max(MAX_IP_ENTRIES)
      .default([])
      .describe("Addresses that are let in; all when it is empty."),
    deny: z
      .array(ipRange)
      .max(MAX_IP_ENTRIES)
      .default([])
      .describe("Addresses that are refused, whatever `allow` says."),
  })
  .describe(
    "Who is let in, by IP address: single ones and ranges, IPv4 and IPv6. Behind a proxy, start the service with `--trust-proxy`.",
  )
  .meta({ id: "IpFilter" });

export type EventFilter = z.infer<typeof eventFilterSchema>;
export type IpFilter = z.infer<typeof ipFilterSchema>;
