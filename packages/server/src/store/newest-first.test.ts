import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fitting, type Lane, type ScanOptions, scanNewestFirst } from "./newest-first.ts";
import type { Sql } from "./sql.ts";

const compare = (a: number, b: number) => b - a;

function lane(keys: number[]): Lane<number> {
  return function* (below, limit) {
    return keys
      .filter((key) => key < below)
      .sort(compare)
      .slice(0, limit);
  };
}

function drive<T>(work: Sql<T>): T {
  const step = work.next();
  assert.ok(step.done);
  return step.value as T;
}

/** All pages; rows that come in the meantime are newer than all others. */
function readPages(
  options: Omit<ScanOptions<number>, "below">,
  start: number,
): { keys: number[]; longest: number } {
  const keys: number[] = [];
  let longest = 0;
  for (let below: number | null = start; below !== null; ) {
    const page: { keys: number[]; next: number | null } = drive(scanNewestFirst({ ...options, below }));
    longest = Math.max(longest, page.keys.length);
    keys.push(...page.keys);
    if (page.next !== null) assert.ok(page.next < below, "paging goes on");
    below = page.next;
  }
  return { keys, longest };
}

const keySets = fc.array(fc.array(fc.nat(500), { maxLength: 300, size: "max" }), {
  minLength: 1,
  maxLength: 4,
});

test("paging visits every row of all lanes exactly once, newest first", () => {
  fc.assert(
    fc.property(keySets, fc.integer({ min: 1, max: 60 }), (sets, limit) => {
      // An index has a key once; two of them may share keys.
      const lanes = sets.map((keys) => lane([...new Set(keys)]));
      const all = [...new Set(sets.flat())].sort(compare);
      const { keys, longest } = readPages({ lanes, limit, compare, filter: null }, 1_000);
      assert.deepEqual(keys, all);
      assert.ok(longest <= limit);
    }),
  );
});

test("paging through a filter visits every row that passes exactly once", () => {
  fc.assert(
    fc.property(
      keySets,
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 50 }),
      (sets, limit, divisor) => {
        const lanes = sets.map((keys) => lane([...new Set(keys)]));
        const all = [...new Set(sets.flat())].filter((key) => key % divisor === 0).sort(compare);
        const filter = function* (keys: number[]) {
          return { matches: keys.filter((key) => key % divisor === 0), bytes: 0 };
        };
        const { keys, longest } = readPages({ lanes, limit, compare, filter }, 1_000);
        assert.deepEqual(keys, all);
        assert.ok(longest <= limit);
      },
    ),
  );
});

test("a filter that finds nothing looks at a bounded number of rows, and paging goes on from there", () => {
  const keys = Array.from({ length: 5_000 }, (_, i) => i);
  let looked = 0;
  const filter = function* (chunk: number[]) {
    looked += chunk.length;
    return { matches: chunk.filter((key) => key === 0), bytes: 0 };
  };
  const options = { lanes: [lane(keys)], limit: 10, compare, filter };
  const first = drive(scanNewestFirst({ ...options, below: 10_000 }));
  assert.deepEqual(first, { keys: [], next: 3_000 });
  assert.equal(looked, 2_000);
  assert.deepEqual(readPages(options, 10_000).keys, [0]);
});

test("a filter that has read much ends the page early", () => {
  const keys = Array.from({ length: 1_000 }, (_, i) => i);
  // biome-ignore lint/correctness/useYield: these rows need no statement
  const filter = function* (chunk: number[]) {
    return { matches: [] as number[], bytes: chunk.length * 512 * 1024 };
  };
  const page = drive(scanNewestFirst({ lanes: [lane(keys)], limit: 10, compare, filter, below: 10_000 }));
  assert.equal(page.next, 900);
});

test("a page takes rows until their bytes are full, and one always", () => {
  const rows = [5, 5, 5].map((bytes, id) => ({ id, bytes }));
  assert.equal(fitting(rows, 100).length, 3);
  assert.equal(fitting(rows, 10).length, 2);
  assert.equal(fitting(rows, 9).length, 1);
  assert.equal(fitting(rows, 1).length, 1);
  assert.deepEqual(fitting([], 1), []);
});
