import assert from "node:assert/strict";
import { test } from "node:test";
import { wayBack } from "./way-back.ts";

test("the login leads back to a page of the dashboard, with its search", () => {
  assert.deepEqual(wayBack("/keys?kind=api&env=a%2Fb"), { to: "/keys", search: { kind: "api", env: "a/b" } });
  assert.deepEqual(wayBack("/webhooks/01KQ"), { to: "/webhooks/01KQ", search: {} });
});

test("the login leads to the events when nothing was asked for", () => {
  for (const to of [undefined, "", "/"]) assert.deepEqual(wayBack(to), { to: "/events", search: {} });
});

test("the login leads to no other site, however the link is written", () => {
  for (const to of [
    "//evil.example/x",
    "/\\evil.example/x",
    "\\\\evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/.//evil.example",
    "/x/..//evil.example",
    "evil.example",
  ]) {
    assert.equal(wayBack(to).to, "/events", to);
  }
});
