import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventStats } from "../api/types.ts";
import { bucketsOf } from "./event-buckets.ts";

const at = (minute: number) => new Date(minute * 60_000).toISOString();
const stats = (outcomesFrom: number): EventStats => ({
  after: at(1),
  before: at(10),
  bucket_ms: 300_000,
  counted_from: at(1),
  outcomes_from: at(outcomesFrom),
  buckets: [
    { start: at(0), count: 9, triggered: 3, failed: 1 },
    { start: at(5), count: 4, triggered: 2, failed: 0 },
  ],
});
const values = (outcomesFrom: number) => bucketsOf(stats(outcomesFrom)).map((bucket) => bucket.values);

test("each event counts once, also in a first bucket that begins before the range", () => {
  assert.deepEqual(values(1), [
    [1, 2, 6],
    [0, 2, 2],
  ]);
});

test("events that were not looked into are told apart from those that started nothing", () => {
  assert.deepEqual(values(5), [
    [0, 0, 0, 9],
    [0, 2, 2, 0],
  ]);
});
