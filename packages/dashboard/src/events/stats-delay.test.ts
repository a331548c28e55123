import assert from "node:assert/strict";
import { test } from "node:test";
import { statsDelayMs } from "./stats-delay.ts";

test("the first event is counted as soon as its runs have begun", () => {
  assert.equal(statsDelayMs(Number.POSITIVE_INFINITY), 250);
  assert.equal(statsDelayMs(60_000), 250);
});

test("events of a burst are counted together, three seconds after those before", () => {
  assert.equal(statsDelayMs(0), 3_000);
  assert.equal(statsDelayMs(1_000), 2_000);
});
