import * as z from "zod";
import { type Route, route } from "../http/route.ts";
import { isoTime, one, toIso } from "./answers.ts";
import { eventFilter, namesLeftOut } from "./event-filter.ts";
import type { ApiParts } from "./parts.ts";
import { bucketParameters, chooseBuckets, fillBuckets } from "./time-buckets.ts";

const NOTHING = { count: 0, triggered: 0, failed: 0 };

const statsSchema = z
  .object({
    after: isoTime,
    before: isoTime,
    bucket_ms: z.int(),
    counted_from: isoTime.describe("Later than `after` when there were more than a million events to count."),
    outcomes_from: isoTime.describe(
      "`triggered` and `failed` are counted from here on: later than `counted_from` when there were more than 50,000 events.",
    ),
    buckets: z
      .array(
        z.object({
          start: isoTime,
          count: z.int(),
          triggered: z.int().describe("Events that started a run."),
          failed: z.int().describe("Events of which a run failed."),
        }),
      )
      .describe("Without gaps, oldest first."),
  })
  .meta({ id: "EventStats" });

/** `GET /v1/events/stats`: how many events came when. */
export function eventStats({ store, clock }: Pick<ApiParts, "store" | "clock">): Route {
  return route({
    method: "GET",
    path: "/v1/events/stats",
    access: "api",
    permission: "read",
    summary: "Count events per bucket of time",
    description: "When a name ends in `*`, up to 200 of the names it stands for are counted.",
    query: z.object({
      name: eventFilter.shape.name,
      lifecycle: eventFilter.shape.lifecycle,
      ...bucketParameters("Received"),
    }),
    response: one(statsSchema),
    async handle({ env, query }) {
      const range = chooseBuckets(query, clock.now());
      const { after, before, bucketMs } = range;
      const args = { env, names: query.name ?? null, except: namesLeftOut(query), after, before, bucketMs };
      const stats = await store.query("eventStats", args, "statistics");
      return {
        body: {
          data: {
            after: toIso(after),
            before: toIso(before),
            bucket_ms: bucketMs,
            counted_from: toIso(stats.countedFrom),
            outcomes_from: toIso(stats.outcomesFrom),
            buckets: fillBuckets(range, stats.buckets, NOTHING),
          },
        },
      };
    },
  });
}
