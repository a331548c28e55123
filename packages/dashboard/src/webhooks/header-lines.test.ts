import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { headerText, readHeaders } from "./header-lines.ts";

describe("lines of headers", () => {
  test("are names and values, blanks around them left out", () => {
    const { headers, wrong } = readHeaders(
      "Content-Type: application/json\n\n  X-Time :  12:30:00 \nX-Empty:",
    );
    assert.deepEqual(headers, { "Content-Type": "application/json", "X-Time": "12:30:00", "X-Empty": "" });
    assert.deepEqual(wrong, []);
  });

  test("that have no name are told by their number", () => {
    assert.deepEqual(readHeaders("A: 1\nnonsense\n: value").wrong, [2, 3]);
  });

  test("come back as they were written", () => {
    const headers = { "X-A": "1", "X-B": "a: b" };
    assert.deepEqual(readHeaders(headerText(headers)).headers, headers);
  });
});
