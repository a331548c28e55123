import assert from "node:assert/strict";
import { test } from "node:test";
import { countNodes, linesOf, MAX_DEPTH, matchesIn } from "./json-lines.ts";

const value = { id: 7, "a b": [true, { deep: null }], empty: {}, none: [] };

test("a value becomes one line per member, with the path a program would write", () => {
  const lines = linesOf(value, () => false);
  assert.deepEqual(
    lines.map(({ path, depth, part }) => `${depth} ${part} ${path}`),
    [
      "0 open data",
      "1 whole data.id",
      '1 open data["a b"]',
      '2 whole data["a b"][0]',
      '2 open data["a b"][1]',
      '3 whole data["a b"][1].deep',
      '2 close data["a b"][1]',
      '1 close data["a b"]',
      "1 whole data.empty",
      "1 whole data.none",
      "0 close data",
    ],
  );
});

test("commas stand where JSON has them: the lines together are the value", () => {
  const text = linesOf(value, () => false)
    .map(({ name, part, kind, value: own, comma }) => {
      const before = name === null || part === "close" ? "" : `${JSON.stringify(name)}:`;
      const [open, close] = kind === "array" ? "[]" : "{}";
      const nested = kind === "array" || kind === "object";
      const middle = !nested
        ? JSON.stringify(own)
        : part === "open"
          ? open
          : part === "close"
            ? close
            : `${open}${close}`;
      return before + middle + (comma ? "," : "");
    })
    .join("");
  assert.deepEqual(JSON.parse(text), value);
});

test("what is folded is one line that says how much it hides", () => {
  const [, , folded, next] = linesOf(value, (path) => path === 'data["a b"]');
  assert.deepEqual([folded!.part, folded!.folded, folded!.size], ["whole", true, 2]);
  assert.equal(next!.path, "data.empty");
});

test("a value deeper than anybody reads is shown without breaking the page", () => {
  let deep: unknown = 1;
  for (let i = 0; i < 5_000; i++) deep = [deep];
  const lines = linesOf(deep, () => false);
  assert.equal(lines.length, 2 * MAX_DEPTH + 1);
  assert.equal(countNodes(deep, 100), 100);
});

test("a search finds names and values in upper and lower case, each line once", () => {
  const lines = linesOf({ City: "Bern", other: ["BERN", 42] }, () => false);
  const found = (text: string) => matchesIn(lines, text).map((at) => lines[at]!.path);
  assert.deepEqual(found("bern"), ["data.City", "data.other[0]"]);
  assert.deepEqual(found("city"), ["data.City"]);
  assert.deepEqual(found("4"), ["data.other[1]"]);
  assert.deepEqual(found("["), []);
});
