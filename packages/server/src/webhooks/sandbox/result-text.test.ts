import assert from "node:assert/strict";
import { test } from "node:test";
import { resultFault } from "./result-text.ts";

test("200 levels are within the bounds and 201 are not", () => {
  assert.equal(resultFault("[".repeat(200) + "]".repeat(200)), null);
  assert.match(resultFault("[".repeat(201) + "]".repeat(201)) ?? "", /200/);
  assert.match(resultFault(`${'{"a":'.repeat(201)}1${"}".repeat(201)}`) ?? "", /200/);
});

test("5,000 events are within the bounds and 5,001 are not", () => {
  const events = (count: number) =>
    JSON.stringify(Array.from({ length: count }, () => ({ a: 1, b: [1, 2] })));
  assert.equal(resultFault(events(5_000)), null);
  assert.match(resultFault(events(5_001)) ?? "", /5001/);
});

test("what is in texts does not count", () => {
  assert.equal(resultFault(JSON.stringify({ a: "[".repeat(500), 'b"\\': '\\"[[[' })), null);
  assert.equal(resultFault(JSON.stringify([",".repeat(9_000)])), null);
});

test("an object may have more members than there may be events", () => {
  const members = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`k${index}`, index]));
  assert.equal(resultFault(JSON.stringify(members)), null);
});

test("plain values are results, too", () => {
  for (const text of ["1", '"a"', "true", "null", '""', '"\\\\"']) assert.equal(resultFault(text), null);
});
