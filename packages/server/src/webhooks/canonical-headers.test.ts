import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalHeaders, canonicalName } from "./canonical-headers.ts";

test("a header's name has upper case at its start and after hyphens, lower case elsewhere", () => {
  const cases: [string, string][] = [
    ["x-github-event", "X-Github-Event"],
    ["X-GITHUB-EVENT", "X-Github-Event"],
    ["x-SVC-env", "X-Svc-Env"],
    ["WWW-Authenticate", "Www-Authenticate"],
    ["etag", "Etag"],
    ["-a--B-", "-A--B-"],
    ["x_some_Thing", "X_some_thing"],
    ["x-1a", "X-1a"],
    ["", ""],
  ];
  for (const [given, expected] of cases) {
    assert.deepEqual({ ...canonicalHeaders([given, "v"]) }, { [expected]: "v" });
  }
});

test("only ASCII letters change their case", () => {
  assert.equal(canonicalName("é-ß-İ-ſ"), "é-ß-İ-ſ");
  assert.equal(canonicalName("AÉ"), "AÉ");
});

test("a header sent several times is one value, cookies joined as cookies", () => {
  const headers = canonicalHeaders(["Via", "a", "cookie", "x=1", "VIA", "", "Cookie", "y=2", "via", "b"]);
  assert.deepEqual({ ...headers }, { Via: "a, , b", Cookie: "x=1; y=2" });
});

test("names that objects inherit are names like any other", () => {
  const headers = canonicalHeaders(["__proto__", "a", "constructor", "b", "__PROTO__", "c", "toString", "d"]);
  assert.equal(JSON.stringify(headers), '{"__proto__":"a, c","Constructor":"b","Tostring":"d"}');
  assert.equal(({} as { a?: string }).a, undefined);
});

test("a thousand header lines are read, and no more", () => {
  const raw = Array.from({ length: 3_000 }, (_, i) => [`h${i}`, "v"]).flat();
  const names = Object.keys(canonicalHeaders(raw));
  assert.equal(names.length, 1_000);
  assert.equal(names.at(-1), "H999");
});

test("a name without a value is left out", () => {
  assert.deepEqual({ ...canonicalHeaders(["a", "1", "b"]) }, { A: "1" });
});

const name = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "Z", "-", "_", "é", "7", "ß"), maxLength: 20 }),
  fc.constantFrom("__proto__", "Cookie", "cookie", "constructor"),
);

test("names keep their length and their letters, and a second pass changes nothing", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string()), { maxLength: 20 }), (pairs) => {
      const once = canonicalHeaders(pairs.flat());
      assert.deepEqual(canonicalHeaders(Object.entries(once).flat()), once);
      const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
      assert.deepEqual(
        new Set(Object.keys(once).map(asciiLower)),
        new Set(pairs.map(([given]) => asciiLower(given))),
      );
      // Every value is in the result, in the order sent.
      for (const [header, joined] of Object.entries(once)) {
        const own = pairs.filter(([given]) => asciiLower(given) === asciiLower(header)).map(([, v]) => v);
        assert.equal(joined, own.join(header === "Cookie" ? "; " : ", "));
      }
    }),
  );
});
