import assert from "node:assert/strict";
import { test } from "node:test";
import { actionText, fieldChanges } from "./audit-words.ts";

test("an action reads as what somebody did, also one that is not known here", () => {
  assert.equal(actionText("event_key.rotated"), "rotated the event key");
  assert.equal(actionText("session.created"), "logged in");
  assert.equal(actionText("flux_capacitor.re_charged"), "re charged the flux capacitor");
});

test("what changed is told field by field, with what is missing on either side", () => {
  assert.deepEqual(fieldChanges({ role: "member", gone: 1 }, { role: "admin", list: ["a"] }), [
    { field: "gone", before: "1", after: null },
    { field: "list", before: null, after: '[\n  "a"\n]' },
    { field: "role", before: "member", after: "admin" },
  ]);
  assert.deepEqual(fieldChanges(null, { name: "x", limit: null }), [
    { field: "limit", before: null, after: "null" },
    { field: "name", before: null, after: "x" },
  ]);
});
