import assert from "node:assert/strict";
import { test } from "node:test";
import { rangeSearch, readRange } from "./range.ts";

const NOW = 1_000_000_000_000;
const HOUR = 3_600_000;

test("a relative range ends whenever it is asked for", () => {
  let now = NOW;
  const range = readRange({ range: "1h" }, () => now);
  assert.deepEqual(range.bounds(), { after: NOW - HOUR });
  now += 5_000;
  assert.deepEqual(range.bounds(), { after: NOW - HOUR + 5_000 });
});

test("a range of two moments is read as milliseconds or as dates", () => {
  const range = readRange({ after: "1000", before: "1970-01-01T00:00:05Z" });
  assert.equal(range.name, null);
  assert.deepEqual(range.bounds(), { after: 1_000, before: 5_000 });
});

test("an address without a range, or with one that cannot be read, means the last day", () => {
  for (const search of [{}, { range: "1y" }, { after: "5", before: "4" }, { after: "soon", before: "5" }]) {
    assert.equal(readRange(search).name, "24h", JSON.stringify(search));
  }
});

test("a range written into the address is read as the same range, and the default one leaves nothing there", () => {
  assert.deepEqual(readRange(rangeSearch({ after: 5.2, before: 9.1 })).bounds(), { after: 5, before: 10 });
  assert.equal(readRange(rangeSearch("7d")).name, "7d");
  assert.deepEqual(rangeSearch("24h"), { range: undefined, after: undefined, before: undefined });
});
