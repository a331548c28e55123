import assert from "node:assert/strict";
import { test } from "node:test";
import { rateText, triggerText } from "./function-texts.ts";

test("a rate is never rounded to none or to all", () => {
  const cases: [number, number, string][] = [
    [0, 0, "–"],
    [0, 10, "0 %"],
    [3, 200, "1.5 %"],
    [1, 3, "33 %"],
    [1, 100_000, "< 0.1 %"],
    [99_999, 100_000, "> 99.9 %"],
    [10, 10, "100 %"],
  ];
  for (const [failed, count, text] of cases) assert.equal(rateText(failed, count), text);
});

test("a trigger is named by its event or its schedule", () => {
  assert.equal(triggerText({ event: "order/*", expression: "true" }), "order/*");
  assert.equal(triggerText({ cron: "0 3 * * *" }), "0 3 * * *");
});
