import assert from "node:assert/strict";
import { test } from "node:test";
import { refused } from "../../../test/refused.ts";
import { validate } from "../../http/validate.ts";
import { eventFilterSchema, ipFilterSchema } from "./allow-deny.ts";

const schemas = { eventFilterSchema, ipFilterSchema };

for (const [name, schema] of Object.entries(schemas)) {
  test(`a list that is left out is empty (${name})`, () => {
    assert.deepEqual(validate(schema, {}), { allow: [], deny: [] });
    assert.deepEqual(validate(schema, { deny: [] }), { allow: [], deny: [] });
  });

  test(`what is no filter is refused with its field (${name})`, () => {
    const field = (value: unknown) => refused(() => validate(schema, value)).field;
    assert.equal(field({ alow: [] }), "alow");
    assert.equal(field({ allow: "*" }), "allow");
    assert.equal(field({ allow: null }), "allow");
    assert.equal(field({ deny: [5] }), "deny.0");
    assert.equal(field({ deny: [""] }), "deny.0");
    assert.equal(field({ deny: new Array(1_001).fill("1.1.1.1") }), "deny");
    assert.equal(field([]), undefined);
  });
}

test("entries are kept as they were written", () => {
  const events = { allow: ["shop/*", "a"], deny: ["*"] };
  assert.deepEqual(validate(eventFilterSchema, events), events);
  const addresses = { allow: ["10.0.0.1/8"], deny: ["::1"] };
  assert.deepEqual(validate(ipFilterSchema, addresses), addresses);
});

test("a bad entry is refused with an example of a good one", () => {
  refused(
    () => validate(ipFilterSchema, { allow: ["1.1.1.1", "localhost"] }),
    /`allow.1`: expected an IPv4.*10\.0\.0\.0\/8/,
  );
  refused(
    () => validate(eventFilterSchema, { deny: ["a*"] }),
    /`deny.0`: may have a wildcard only at its end/,
  );
});
