import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { wildcardPrefix } from "../../registry/trigger-index.ts";
import { compileNameList, MAX_NAME_ENTRIES, namePattern } from "./name-list.ts";

const allows = (entry: string, name: string) => compileNameList({ allow: [entry], deny: [] })(name);

test("an entry covers its name, or every name that begins as it does", () => {
  const cases: [string, string, boolean][] = [
    ["shop/order", "shop/order", true],
    ["shop/order", "shop/orders", false],
    ["shop/order", "shop/orde", false],
    ["shop/*", "shop/order.placed", true],
    ["shop/*", "shop/a/b", true],
    ["shop/*", "shop/", true],
    ["shop/*", "shop", false],
    ["shop/*", "shop.order", false],
    ["shop.*", "shop.order", true],
    ["shop/*", "Shop/order", false],
    ["*", "anything at all", true],
    ["/*", "/x", true],
    ["/*", "x", false],
  ];
  for (const [entry, name, expected] of cases)
    assert.equal(allows(entry, name), expected, `${entry} ${name}`);
});

test("deny wins over allow, and an empty allow list lets every other name in", () => {
  const both = compileNameList({ allow: ["shop/*"], deny: ["shop/debug.*"] });
  assert.deepEqual(["shop/order", "shop/debug.x", "other"].map(both), [true, false, false]);
  const denied = compileNameList({ allow: [], deny: ["a"] });
  assert.deepEqual(["a", "b"].map(denied), [false, true]);
  assert.equal(compileNameList({ allow: [], deny: ["*"] })("a"), false);
  assert.equal(compileNameList({ allow: [], deny: [] })("a"), true);
});

test("a pattern that could never match is refused with the reason", () => {
  const cases: [string, RegExp][] = [
    ["shop*", /only at its end/],
    ["*/order", /only at its end/],
    ["shop/*/x", /only at its end/],
    ["shop/**", /only at its end/],
    ["a/*.*", /only at its end/],
    ["", />=1/],
    [" a", /blanks/],
    ["a\nb", /control/],
    ["a\x85b", /control/],
    ["a\ud800", /surrogate/],
    ["é".repeat(129), /256 bytes/],
    ["x".repeat(257), /256 bytes/],
  ];
  for (const [entry, reason] of cases) {
    assert.match(namePattern.safeParse(entry).error?.issues[0]?.message ?? "accepted", reason, entry);
  }
  for (const entry of ["*", "a", "a/*", "a.*", "/*", "é".repeat(128), "wörld/ünï ✓"]) {
    assert.equal(namePattern.safeParse(entry).success, true, entry);
  }
});

test("a list has at most a thousand entries", () => {
  const entries = (count: number) => Array.from({ length: count }, (_, i) => `a/${i}`);
  assert.equal(compileNameList({ allow: entries(MAX_NAME_ENTRIES), deny: [] })("a/999"), true);
  assert.throws(() => compileNameList({ allow: [], deny: entries(MAX_NAME_ENTRIES + 1) }), RangeError);
});

// Few different characters, so that names and prefixes meet.
const name = fc.string({ unit: fc.constantFrom("a", "b", "/", ".", "é"), maxLength: 6 });
const entry = fc.tuple(name, fc.constantFrom("", "/*", ".*")).map(([text, end]) => text + end);
const entries = fc.array(
  fc.oneof({ weight: 9, arbitrary: entry }, { weight: 1, arbitrary: fc.constant("*") }),
  {
    maxLength: 5,
  },
);

test("lists decide as comparing entry by entry does, with wildcards as triggers have them", () => {
  const covers = (pattern: string, given: string) => {
    const prefix = pattern === "*" ? "" : wildcardPrefix(pattern);
    return prefix === undefined ? pattern === given : given.startsWith(prefix);
  };
  fc.assert(
    fc.property(entries, entries, name, (allow, deny, given) => {
      const expected =
        !deny.some((pattern) => covers(pattern, given)) &&
        (allow.length === 0 || allow.some((pattern) => covers(pattern, given)));
      assert.equal(compileNameList({ allow, deny })(given), expected);
    }),
    { numRuns: 3_000 },
  );
});
