import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { entriesOf, listsOf, refusedEntry, textsOf } from "./filter-lists.ts";

describe("lists of a filter", () => {
  test("are the lines of a text, without blanks and doubles", () => {
    assert.deepEqual(entriesOf(" shop/* \n\nshop/*\nbilling/paid, crm/*"), [
      "shop/*",
      "billing/paid",
      "crm/*",
    ]);
  });

  test("are no filter when both are empty", () => {
    assert.equal(listsOf({ allow: " \n", deny: "" }), null);
    assert.deepEqual(listsOf({ allow: "", deny: "a" }), { allow: [], deny: ["a"] });
  });

  test("come back as they were written", () => {
    const lists = { allow: ["a", "b/*"], deny: ["c"] };
    assert.deepEqual(listsOf(textsOf(lists)), lists);
    assert.deepEqual(textsOf(null), { allow: "", deny: "" });
  });

  test("tell which entry the API refused", () => {
    const lists = { allow: ["10.0.0.1", "nonsense"], deny: [] };
    assert.deepEqual(refusedEntry("ip_filter.allow.1", "ip_filter", lists), {
      list: "allow",
      entry: "nonsense",
    });
    assert.equal(refusedEntry("event_filter.allow.1", "ip_filter", lists), null);
    assert.equal(refusedEntry("ip", "ip_filter", lists), null);
    assert.equal(refusedEntry(undefined, "ip_filter", lists), null);
  });
});
