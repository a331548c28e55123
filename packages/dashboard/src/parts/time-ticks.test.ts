import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY, roundStep, timeTicks } from "./time-ticks.ts";

const HOUR = DAY / 24;
const NOON = Date.UTC(2026, 4, 1, 12);

test("marks stand at round moments and at even distances", () => {
  const at = (length: number, most: number) =>
    timeTicks(NOON - 7 * 60_000, NOON - 7 * 60_000 + length, most, 0).map(
      (tick) => (tick.at - NOON) / 60_000,
    );
  assert.deepEqual(at(6 * HOUR, 8), [0, 60, 120, 180, 240, 300]);
  assert.deepEqual(at(HOUR, 4), [0, 15, 30, 45]);
});

test("marks are round by the reader's clock, not by that of Greenwich", () => {
  const halfAnHourOff = -5.5 * HOUR;
  const ticks = timeTicks(NOON, NOON + 3 * HOUR, 3, halfAnHourOff).map(({ at }) => at - NOON);
  assert.deepEqual(ticks, [HOUR / 2, 1.5 * HOUR, 2.5 * HOUR]);
});

test("a range of several days is told by days that begin at midnight", () => {
  const ticks = timeTicks(NOON, NOON + 3 * DAY, 20, 0);
  assert.deepEqual(
    ticks.map(({ at }) => (at - NOON) / HOUR),
    [12, 36, 60],
  );
});

test("there are never more marks than have room", () => {
  for (const length of [3, 999, 61_000, HOUR, 3 * DAY, 400 * DAY]) {
    for (const most of [2, 5, 8]) {
      assert.ok(timeTicks(NOON, NOON + length, most, 0).length <= most + 1, `${length} ms, ${most}`);
      assert.ok(length / roundStep(length, most) <= most, `${length} ms, ${most}`);
    }
  }
});
