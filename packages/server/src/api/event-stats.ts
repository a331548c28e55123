import * as z from "zod";
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";
import { isoTime, one, toIso } from "./answers.ts";
import { eventFilter } from "./event-filter.ts";
import { durationParameter, timeParameter } from "./parameters.ts";
import type { ApiParts } from "./parts.ts";

const DAY_MS = 86_400_000;
const MAX_BUCKETS = 1_000;
/** Lengths to choose from when none is asked for: the first that gives 100 buckets or fewer. */
const BUCKETS_MS = [1, 5, 15, 60, 300, 900, 3_600, 10_800, 21_600, 86_400, 604_800].map((s) => s * 1_000);

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
      after: timeParameter("Received at or after; a day before `before` if not given."),
      before: timeParameter("Received before; now if not given."),
      bucket: durationParameter("Length of a bucket; about a hundredth of the time asked for if not given."),
    }),
    response: one(statsSchema),
    async handle({ env, query }) {
      const before = query.before ?? clock.now() + 1;
      const after = query.after ?? Math.max(0, before - DAY_MS);
      if (after >= before) throw invalid("after", "`after` must be earlier than `before`.");
      const bucketMs =
        query.bucket ?? BUCKETS_MS.find((ms) => (before - after) / ms <= 100) ?? BUCKETS_MS.at(-1)!;
      const first = Math.floor(after / bucketMs);
      const last = Math.floor((before - 1) / bucketMs);
      if (last - first >= MAX_BUCKETS) {
        throw invalid("bucket", `That would be more than ${MAX_BUCKETS} buckets: choose longer ones.`);
      }
      const args = { env, names: query.name ?? null, after, before, bucketMs };
      const stats = await store.query("eventStats", args, "statistics");
      const counted = new Map(stats.buckets.map(({ bucket, ...counts }) => [bucket, counts]));
      const buckets = Array.from({ length: last - first + 1 }, (_, i) => ({
        start: toIso((first + i) * bucketMs),
        ...(counted.get(first + i) ?? NOTHING),
      }));
      return {
        body: {
          data: {
            after: toIso(after),
            before: toIso(before),
            bucket_ms: bucketMs,
            counted_from: toIso(stats.countedFrom),
            outcomes_from: toIso(stats.outcomesFrom),
            buckets,
          },
        },
      };
    },
  });
}

function invalid(field: string, sentence: string): ServiceError {
  return new ServiceError("invalid_request", sentence, { field });
}
