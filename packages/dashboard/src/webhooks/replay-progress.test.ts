import assert from "node:assert/strict";
import { test } from "node:test";
import { countReplayed, NOTHING_REPLAYED } from "./replay-progress.ts";

test("steps of a replay add up, and end with a step that has no cursor", () => {
  const first = countReplayed(NOTHING_REPLAYED, {
    outcomes: { accepted: 2, failed: 1 },
    skipped: 1,
    cursor: "x",
  });
  const second = countReplayed(first, { outcomes: { accepted: 3 }, skipped: 0, cursor: null });
  assert.equal(first.cursor, "x");
  assert.deepEqual(second, { outcomes: { accepted: 5, failed: 1 }, skipped: 1, done: 7, cursor: null });
});
