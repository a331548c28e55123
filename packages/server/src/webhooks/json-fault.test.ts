import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MAX_JSON_DEPTH } from "../nesting.ts";
import { jsonFault } from "./json-fault.ts";

test("valid JSON has no fault", () => {
  for (const text of ["{}", " [1] ", "null", '"a"', "-0.5e9"]) assert.equal(jsonFault(text), undefined);
  fc.assert(fc.property(fc.json(), (text) => assert.equal(jsonFault(text), undefined)));
});

test("a fault is told with its line and column", () => {
  const cases: [string, RegExp][] = [
    ["hello", /Unexpected token 'h'.*\(line 1 column 1\)$/],
    ['{"a": x}', /\(line 1 column 7\)$/],
    ['{\n  "a": 1,\n  "b": \'c\'\n}', /line 3 column 8\)$/],
    ['{"a": 1,}', /position 8/],
    ["[1, 2", /position 5/],
    ["\0", /column 1\)$/],
    ["", /The body is empty/],
    ["\n ", /The body is empty/],
    ["[tru, 1]", /line 1 column 5\)$/],
  ];
  for (const [text, expected] of cases) assert.match(jsonFault(text) ?? "no fault", expected, text);
});

test("the place of a stray character is found wherever it stands", () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { minLength: 1 }),
      fc.json(),
      fc.nat({ max: 3 }),
      (before, after, space) => {
        const good = `${JSON.stringify(before).slice(0, -1)},${"\n".repeat(space)}`;
        const fault = jsonFault(`${good}?,${after}]`) ?? "no fault";
        const column = space === 0 ? good.length + 1 : 1;
        assert.ok(fault.endsWith(`(line ${space + 1} column ${column})`), fault);
      },
    ),
  );
});

test("a text of any length is told of without a search", () => {
  assert.match(jsonFault(`[${" ".repeat(1_000_000)}?]`) ?? "no fault", /Unexpected token/);
});

test("JSON may nest as deep as everything else can follow, and no deeper", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  assert.equal(jsonFault(nested(MAX_JSON_DEPTH)), undefined);
  for (const levels of [MAX_JSON_DEPTH + 1, 200_000]) {
    assert.match(jsonFault(nested(levels)) ?? "no fault", /more than 500 levels/);
  }
});
