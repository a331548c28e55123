import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { draftOf, rangeOf } from "./transform-draft.ts";

describe("a draft", () => {
  const inUse = { transform: "one", version: 3 };

  test("is none while the text is what is in use", () => {
    assert.equal(draftOf("one", null, inUse), null);
    assert.equal(draftOf("one", { text: "two", base: 3 }, inUse), null);
  });

  test("remembers the version it was begun on, whatever is saved meanwhile", () => {
    const first = draftOf("two", null, inUse);
    assert.deepEqual(first, { text: "two", base: 3 });
    assert.deepEqual(draftOf("three", first, { transform: "theirs", version: 4 }), {
      text: "three",
      base: 3,
    });
  });
});

describe("the place of an error", () => {
  const text = "ab\ncdef\n";

  test("goes from its column to the end of its line", () => {
    assert.deepEqual(rangeOf(text, { line: 2, column: 3 }), { from: 5, to: 7 });
    assert.equal(text.slice(5, 7), "ef");
  });

  test("is the whole line when there is no column", () => {
    assert.deepEqual(rangeOf(text, { line: 1, column: null }), { from: 0, to: 2 });
  });

  test("stays within the text", () => {
    assert.deepEqual(rangeOf(text, { line: 99, column: 99 }), { from: 8, to: 8 });
    assert.deepEqual(rangeOf(text, { line: 1, column: 99 }), { from: 2, to: 2 });
  });
});
