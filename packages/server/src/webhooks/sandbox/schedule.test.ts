import assert from "node:assert/strict";
import { test } from "node:test";
import { createSchedule } from "./schedule.ts";

test("lanes are served in turn, however much waits in each", () => {
  const schedule = createSchedule<string>();
  for (let n = 0; n < 1_000; n++) schedule.add("busy", "fast", `busy ${n}`, 1);
  schedule.add("calm", "fast", "calm 0", 1);
  schedule.add("calm", "fast", "calm 1", 1);
  const taken = Array.from({ length: 6 }, () => schedule.take("fast"));
  assert.deepEqual(taken, ["busy 0", "calm 0", "busy 1", "calm 1", "busy 2", "busy 3"]);
});

test("slow lanes wait only for each other", () => {
  const schedule = createSchedule<string>();
  schedule.add("slow", "slow", "s", 1);
  schedule.add("fast", "fast", "f", 1);
  assert.equal(schedule.take("fast"), "f");
  assert.equal(schedule.take("fast"), undefined);
  assert.equal(schedule.take("slow"), "s");
});

test("a lane that turned out slow takes its jobs along", () => {
  const schedule = createSchedule<string>();
  schedule.add("a", "fast", "a 0", 1);
  schedule.add("a", "fast", "a 1", 1);
  assert.equal(schedule.take("fast"), "a 0");
  schedule.move("a", "slow");
  schedule.add("a", "fast", "a 2", 1);
  assert.equal(schedule.take("fast"), undefined);
  assert.deepEqual([schedule.count("fast"), schedule.count("slow")], [0, 2]);
  assert.deepEqual([schedule.take("slow"), schedule.take("slow")], ["a 1", "a 2"]);
});

test("a job put back is the next of its lane", () => {
  const schedule = createSchedule<string>();
  for (const item of ["0", "1", "2"]) schedule.add("a", "fast", item, 1);
  const first = schedule.take("fast")!;
  schedule.add("a", "fast", first, 1, true);
  schedule.add("new", "fast", "n", 1, true);
  assert.deepEqual(
    Array.from({ length: 4 }, () => schedule.take("fast")),
    ["0", "n", "1", "2"],
  );
});

test("counts and bytes follow what comes and goes", () => {
  const schedule = createSchedule<number>();
  for (let n = 0; n < 600; n++) schedule.add(`lane ${n % 2}`, "fast", n, 10);
  assert.deepEqual(schedule.waiting("lane 1"), { count: 300, bytes: 3_000 });
  for (let n = 0; n < 560; n++) schedule.take("fast");
  assert.deepEqual(schedule.waiting("lane 1"), { count: 20, bytes: 200 });
  assert.deepEqual([schedule.count(), schedule.bytes()], [40, 400]);
  assert.equal(schedule.empty("lane 1").length, 20);
  assert.deepEqual([schedule.count("fast"), schedule.bytes()], [20, 200]);
  assert.deepEqual(schedule.waiting("lane 1"), { count: 0, bytes: 0 });
});
