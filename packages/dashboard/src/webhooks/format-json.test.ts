import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { formatJson } from "./format-json.ts";

describe("formatted JSON", () => {
  test("is laid out as JSON.stringify does it", () => {
    const value = {
      a: [1, { b: null }],
      empty: {},
      none: [],
      text: 'a "quote", a {brace}: and \\',
      deep: [[[]]],
    };
    assert.equal(formatJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
    assert.equal(formatJson(JSON.stringify(value, null, 7)), JSON.stringify(value, null, 2));
  });

  test("keeps numbers and escapes that parsing would change", () => {
    assert.equal(
      formatJson('{"id":12345678901234567890,"e":1.0,"u":"\\u00e9\\/"}'),
      '{\n  "id": 12345678901234567890,\n  "e": 1.0,\n  "u": "\\u00e9\\/"\n}',
    );
  });

  test("keeps single values", () => {
    assert.equal(formatJson(' "a b" '), '"a b"');
    assert.equal(formatJson("-1e5"), "-1e5");
  });

  test("is null for what is no JSON", () => {
    assert.equal(formatJson("payload=%7B%7D"), null);
    assert.equal(formatJson(""), null);
  });
});
