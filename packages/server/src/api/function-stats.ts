/** What functions had to do and how it went: of all of them for a list, of one for its charts. */
import * as z from "zod";
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";
import type { FunctionStatsBucket, RunOutcomes } from "../store/queries/function-stats.ts";
import { isoTime, one, toIso } from "./answers.ts";
import type { ApiParts } from "./parts.ts";
import { bucketParameters, chooseBuckets, type TimeBuckets } from "./time-buckets.ts";

type FunctionStatsParts = Pick<ApiParts, "store" | "clock" | "registry">;

/** Functions and buckets together that one answer may hold. */
const MAX_POINTS = 50_000;

const range = {
  after: isoTime,
  before: isoTime,
  bucket_ms: z.int(),
  counted_from: isoTime.describe("Later than `after` when there were too many runs to count."),
};

const activitySchema = z
  .object({
    ...range,
    functions: z.array(
      z.object({
        id: z.string(),
        count: z.int().describe("Runs queued."),
        failed: z.int(),
        buckets: z
          .array(z.tuple([z.int(), z.int()]))
          .describe("Runs queued and of them those that failed, per bucket from `after` on, without gaps."),
      }),
    ),
  })
  .meta({ id: "FunctionActivity" });

const outcomes = {
  count: z.int().describe("Runs queued."),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  p50_ms: z
    .number()
    .nullable()
    .describe("From start to end of the runs that completed or failed: half took no longer."),
  p95_ms: z.number().nullable().describe("95 of 100 took no longer."),
};

const statsSchema = z
  .object({
    ...range,
    ...outcomes,
    buckets: z
      .array(
        z.object({
          start: isoTime,
          ...outcomes,
          backlog: z.int().describe("Runs that waited for their first call when the bucket ended."),
        }),
      )
      .describe("From `counted_from` on, without gaps, oldest first."),
  })
  .meta({ id: "FunctionStats" });

export function functionStatsRoutes(parts: FunctionStatsParts): Route[] {
  const { store, clock, registry } = parts;
  return [
    route({
      method: "GET",
      path: "/v1/functions/stats",
      access: "api",
      permission: "read",
      summary: "Count the runs of every function",
      description: "Functions that had no runs are left out; at most 500,000 runs are counted.",
      query: z.object(bucketParameters("Queued")),
      response: one(activitySchema),
      async handle({ env, query }) {
        const asked = chooseBuckets(query, clock.now());
        const { buckets, countedFrom } = await store.query(
          "functionActivity",
          { env, ...boundsOf(asked) },
          "statistics",
        );
        const byFunction = Map.groupBy(buckets, ({ function_id }) => function_id);
        const living = registry.functions(env).filter(({ id }) => byFunction.has(id));
        const length = asked.last - asked.first + 1;
        if (living.length * length > MAX_POINTS) {
          throw new ServiceError(
            "invalid_request",
            "That would be too long an answer: choose longer buckets.",
            {
              field: "bucket",
            },
          );
        }
        const functions = living.map(({ id }) => {
          const series = Array.from({ length }, (): [number, number] => [0, 0]);
          for (const { bucket, count, failed } of byFunction.get(id)!) {
            const at = series[bucket - asked.first];
            if (at !== undefined) [at[0], at[1]] = [count, failed];
          }
          const sum = (i: 0 | 1) => series.reduce((total, counts) => total + counts[i], 0);
          return { id, count: sum(0), failed: sum(1), buckets: series };
        });
        return { body: { data: { ...describeRange(asked, countedFrom), functions } } };
      },
    }),
    route({
      method: "GET",
      path: "/v1/functions/:id/stats",
      access: "api",
      permission: "read",
      summary: "Count and time the runs of a function",
      description:
        "At most 100,000 runs are counted. Those queued before `counted_from` count in `backlog` as far as they still wait.",
      query: z.object(bucketParameters("Queued")),
      response: one(statsSchema),
      async handle({ env, params, query }) {
        const found = registry.find(env, params.id ?? "");
        if (found === undefined) throw new ServiceError("not_found", "There is no such function.");
        const asked = chooseBuckets(query, clock.now());
        const stats = await store.query(
          "functionStats",
          { env, functionId: found.id, ...boundsOf(asked) },
          "statistics",
        );
        return {
          body: {
            data: {
              ...describeRange(asked, stats.countedFrom),
              ...describeOutcomes(stats.total),
              buckets: stats.buckets.map((each) => describeBucket(each, asked)),
            },
          },
        };
      },
    }),
  ];
}

function boundsOf({ after, before, bucketMs }: TimeBuckets) {
  return { after, before, bucketMs };
}

function describeRange({ after, before, bucketMs }: TimeBuckets, countedFrom: number) {
  return {
    after: toIso(after),
    before: toIso(before),
    bucket_ms: bucketMs,
    counted_from: toIso(countedFrom),
  };
}

function describeBucket(bucket: FunctionStatsBucket, { bucketMs }: TimeBuckets) {
  return {
    start: toIso(bucket.bucket * bucketMs),
    ...describeOutcomes(bucket),
    backlog: bucket.backlog,
  };
}

function describeOutcomes({ count, completed, failed, cancelled, p50, p95 }: RunOutcomes) {
  return { count, completed, failed, cancelled, p50_ms: p50, p95_ms: p95 };
}
