import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { queryParameters } from "./query-params.ts";

const read = (search: string): unknown => JSON.parse(JSON.stringify(queryParameters(search)));

test("every parameter is a list of its values, in the order sent", () => {
  assert.deepEqual(read("?b=2&a=1&b=1&b="), { b: ["2", "1", ""], a: ["1"] });
  assert.deepEqual(read("a&=x&a==&&&"), { a: ["", "="], "": ["x"] });
  for (const none of ["", "?", "&", "?&&"]) assert.deepEqual(read(none), {});
});

test("plus signs are spaces and percent-encodings are decoded, in names too", () => {
  assert.deepEqual(read("a+b%2B=%C3%A9+%F0%9F%98%80&%61=%26%3d"), { "a b+": ["é 😀"], a: ["&="] });
});

test("a bad percent-encoding is kept as it is, and those beside it are decoded", () => {
  const cases: [string, string][] = [
    ["%", "%"],
    ["%4", "%4"],
    ["%zz%41", "%zzA"],
    ["100%+sure", "100% sure"],
    ["%ff%41", "%ffA"],
    ["%C3%A9%C3", "é%C3"],
    ["%ff%ef%bc%81%e1%80%80", "%ff！\u1000"],
    ["%c0%80", "%c0%80"],
    ["%ed%a0%80", "%ed%a0%80"],
    ["%f4%90%80%80%f0%9f%98%80", "%f4%90%80%80😀"],
    ["%e0%80%80%e2%82%ac", "%e0%80%80€"],
  ];
  for (const [given, expected] of cases) {
    assert.deepEqual(read(`x=${given}`), { x: [expected] }, given);
    const long = "long ".repeat(100);
    assert.deepEqual(read(`x=${long}${given}`), { x: [long + expected] }, given);
  }
  assert.deepEqual(read(`x=${"%C3%A9".repeat(500)}%ff`), { x: [`${"é".repeat(500)}%ff`] });
});

test("names that objects inherit are names like any other", () => {
  const parameters = queryParameters("__proto__=1&constructor=2&toString=3&__proto__=4");
  assert.equal(JSON.stringify(parameters), '{"__proto__":["1","4"],"constructor":["2"],"toString":["3"]}');
});

test("a thousand parameters are read, and no more", () => {
  const values = queryParameters("&a=1".repeat(5_000)).a!;
  assert.equal(values.length, 1_000);
});

test("what URLSearchParams writes is read as it was", () => {
  const name = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("a", "b", "__proto__", "constructor"),
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          name,
          fc.string({ unit: "binary" }).filter((s) => s.isWellFormed()),
        ),
      ),
      (pairs) => {
        const expected: Record<string, string[]> = Object.create(null);
        for (const [key, value] of pairs) {
          expected[key] ??= [];
          expected[key].push(value);
        }
        assert.deepEqual(queryParameters(`?${new URLSearchParams(pairs)}`), expected);
      },
    ),
  );
});

test("any well-formed query is read as URLSearchParams reads it", () => {
  const piece = fc.constantFrom(
    "&",
    "=",
    "+",
    "?",
    "%41",
    "%c3%a9",
    "%ef%bb%bf",
    "a",
    "é",
    ";",
    "#",
    "%26",
    "%00",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const search = pieces.join("");
      const pairs = Object.entries(queryParameters(search));
      const oracle = new URLSearchParams(search);
      assert.deepEqual(new Set(pairs.map(([name]) => name)), new Set(oracle.keys()));
      for (const [name, values] of pairs) assert.deepEqual(values, oracle.getAll(name));
    }),
  );
});

test("no text makes it throw", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 3 }),
    fc.constantFrom("%", "%f", "%ff", "%c3", "%80", "\ud800", "&", "="),
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => void queryParameters(pieces.join(""))));
});
