import assert from "node:assert/strict";
import { test } from "node:test";
import { requireEventKey, resolveSettings } from "./settings.ts";

test("without any settings the mode is cloud and nothing is assumed", () => {
  const settings = resolveSettings({}, {});
  assert.equal(settings.mode, "cloud");
  assert.equal(settings.baseUrl, undefined);
});

test("dev mode finds the local dev server and needs no event key", () => {
  for (const SVC_DEV of ["1", "true"]) {
    const settings = resolveSettings({}, { SVC_DEV });
    assert.deepEqual([settings.mode, settings.baseUrl], ["dev", "http://127.0.0.1:8288"]);
    assert.equal(requireEventKey(settings), "dev");
  }
  assert.equal(resolveSettings({ isDev: true }, {}).mode, "dev");
});

test("SVC_DEV may be the address of the dev server, or switch dev mode off", () => {
  const settings = resolveSettings(
    {},
    { SVC_DEV: "http://localhost:9000/", SVC_BASE_URL: "https://svc.example.com" },
  );
  assert.deepEqual([settings.mode, settings.baseUrl], ["dev", "http://localhost:9000"]);
  for (const SVC_DEV of ["0", "false", ""]) assert.equal(resolveSettings({}, { SVC_DEV }).mode, "cloud");
});

test("options win over environment variables", () => {
  const variables = {
    SVC_EVENT_KEY: "k1",
    SVC_SIGNING_KEY: "signkey-prod-aa",
    SVC_SIGNING_KEY_FALLBACK: "bb",
    SVC_BASE_URL: "https://svc.example.com/",
    SVC_ENV: "branch",
    SVC_SERVE_ORIGIN: "https://shop.example.com",
    SVC_DEV: "1",
  };
  assert.deepEqual(resolveSettings({ isDev: false }, variables), {
    mode: "cloud",
    baseUrl: "https://svc.example.com",
    eventKey: "k1",
    env: "branch",
    signingKey: "signkey-prod-aa",
    signingKeyFallback: "bb",
    serveOrigin: "https://shop.example.com",
  });
  const chosen = resolveSettings(
    { eventKey: "k2", env: "other", baseUrl: "http://x:1", isDev: false },
    variables,
  );
  assert.deepEqual([chosen.eventKey, chosen.env, chosen.baseUrl], ["k2", "other", "http://x:1"]);
});
