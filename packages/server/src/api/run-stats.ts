import * as z from "zod";
import { type Route, route } from "../http/route.ts";
import { isoTime, one, toIso } from "./answers.ts";
import { isText, listParameter } from "./parameters.ts";
import type { ApiParts } from "./parts.ts";
import { bucketParameters, chooseBuckets, fillBuckets } from "./time-buckets.ts";

const NOTHING = { queued: 0, running: 0, completed: 0, failed: 0, cancelled: 0, skipped: 0 };

const statsSchema = z
  .object({
    after: isoTime,
    before: isoTime,
    bucket_ms: z.int(),
    counted_from: isoTime.describe(
      "Later than `after` when there were more than 500,000 runs to count, or 100,000 of chosen functions.",
    ),
    buckets: z
      .array(
        z.object({
          start: isoTime,
          queued: z.int(),
          running: z.int(),
          completed: z.int(),
          failed: z.int(),
          cancelled: z.int(),
          skipped: z.int(),
        }),
      )
      .describe("Without gaps, oldest first: the runs queued then, by what they are now."),
  })
  .meta({ id: "RunStats" });

/** `GET /v1/runs/stats`: how many runs were queued when, and what became of them. */
export function runStats({ store, clock }: Pick<ApiParts, "store" | "clock">): Route {
  return route({
    method: "GET",
    path: "/v1/runs/stats",
    access: "api",
    permission: "read",
    summary: "Count runs per bucket of time and status",
    query: z.object({
      function: listParameter("Ids of functions, separated by commas.", isText, "up to 20 function ids"),
      app: z.string().max(256).optional().describe("Id of an app."),
      ...bucketParameters("Queued"),
    }),
    response: one(statsSchema),
    async handle({ env, query }) {
      const range = chooseBuckets(query, clock.now());
      const { after, before, bucketMs } = range;
      const filter = { env, functions: query.function ?? null, app: query.app || null };
      const args = { ...filter, after, before, bucketMs };
      const { buckets, countedFrom } = await store.query("runStats", args, "statistics");
      return {
        body: {
          data: {
            after: toIso(after),
            before: toIso(before),
            bucket_ms: bucketMs,
            counted_from: toIso(countedFrom),
            buckets: fillBuckets(range, buckets, NOTHING),
          },
        },
      };
    },
  });
}
