import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ERRORS, ServiceError } from "../errors.ts";
import { shop, startTestService, type TestService } from "./test-service.ts";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

test("functions are listed by id, and shown with their configuration", async () => {
  const { body } = await service.get("/v1/functions?limit=1");
  assert.deepEqual(body.data, [
    {
      id: "shop-audit",
      name: "Audit",
      app: "shop",
      url: "http://127.0.0.1:3000/api/svc?fnId=shop-audit&stepId=step",
      triggers: [{ event: "order/*" }],
      retries: 4,
      paused: false,
    },
  ]);
  const next = await service.get(`/v1/functions?limit=1&cursor=${body.page.cursor}`);
  assert.deepEqual(
    next.body.data.map(({ id }: { id: string }) => id),
    ["shop-confirm"],
  );
  assert.deepEqual(next.body.page, { cursor: null, has_more: false });
  assert.deepEqual((await service.get("/v1/functions?app=other")).body.data, []);
  const one = await service.get("/v1/functions/shop-confirm");
  assert.equal(one.body.data.config.id, "shop-confirm");
  assert.equal((await service.get("/v1/functions/none")).status, 404);
});

test("a function is invoked with data", async () => {
  const answer = await service.send("POST", "/v1/functions/shop-confirm/invoke", { data: { id: 1 } });
  assert.deepEqual(answer.body, { data: { event_id: "01EVENT", run_id: "01RUN" } });
  assert.deepEqual(service.calls.at(-1), ["invoke", "dev", "shop-confirm", { id: 1 }]);
  assert.equal((await service.send("POST", "/v1/functions/none/invoke", {})).status, 404);
  const bad = await service.send("POST", "/v1/functions/shop-confirm/invoke", { data: [] });
  assert.equal(bad.body.field, "data");
  const large = { data: { text: "x".repeat(600_000) } };
  assert.equal((await service.send("POST", "/v1/functions/shop-confirm/invoke", large)).status, 413);
});

test("apps are listed with where they were looked for, synced and archived", async () => {
  const { body } = await service.get("/v1/apps");
  assert.deepEqual(body.data, [
    {
      id: "shop",
      url: shop.url,
      sdk: "svc-js:v0.1.0",
      framework: "express",
      function_count: 2,
      created_at: "2026-05-01T12:00:00.000Z",
      synced_at: "2026-05-01T12:01:00.000Z",
      error: null,
      last_change: {
        at: "2026-05-01T12:00:00.000Z",
        added: ["shop-confirm"],
        changed: [],
        removed: [],
        counts: { added: 1, changed: 0, removed: 0 },
      },
    },
  ]);
  assert.equal(body.addresses[0].state, "connected");
  assert.deepEqual(body.scan, { ports: [3000, 5173], paths: ["/api/svc"], interval_ms: 5_000 });
  const synced = await service.send("POST", "/v1/apps", { url: "http://localhost:3000/api/svc" });
  assert.equal(synced.status, 200);
  assert.equal(synced.body.data.modified, true);
  assert.deepEqual(service.calls.at(-1), ["syncUrl", "dev", "http://localhost:3000/api/svc"]);
  for (const url of ["file:///etc/passwd", "shop", "", null]) {
    const refused = await service.send("POST", "/v1/apps", { url });
    assert.equal(refused.status, 400);
    assert.equal(refused.body.field, "url");
  }
  assert.equal((await service.send("DELETE", "/v1/apps/shop")).status, 204);
  assert.equal((await service.send("DELETE", "/v1/apps/none")).status, 404);
});

test("a sync that fails says why", async (t) => {
  const failing = await startTestService();
  t.after(() => failing.close());
  failing.parts.operations.syncUrl = async () => {
    throw new ServiceError("sync_failed", "Nothing answers at that address.");
  };
  const { status, body } = await failing.send("POST", "/v1/apps", { url: "http://localhost:1" });
  assert.equal(status, 502);
  assert.deepEqual(body, { error: "Nothing answers at that address.", code: "sync_failed", status: 502 });
});

test("health, readiness and metrics", async (t) => {
  const stopping = await startTestService();
  t.after(() => stopping.close());
  assert.deepEqual((await stopping.get("/health")).body, { status: "ok" });
  assert.deepEqual((await stopping.get("/ready")).body, { status: "ready" });
  const metrics = await fetch(`${stopping.url}/metrics`);
  assert.equal(await metrics.text(), "svc_up 1\n");
  assert.match(metrics.headers.get("content-type")!, /^text\/plain; version=0\.0\.4/);
  // Forwarded by a proxy on this machine: being local means nothing any more.
  const forwarded = { "x-forwarded-for": "203.0.113.9" };
  assert.equal((await fetch(`${stopping.url}/metrics`, { headers: forwarded })).status, 401);
  const bearer = (token: string) => ({ ...forwarded, authorization: `Bearer ${token}` });
  assert.equal((await fetch(`${stopping.url}/metrics`, { headers: bearer("metrics-token") })).status, 200);
  assert.equal((await fetch(`${stopping.url}/metrics`, { headers: bearer("other") })).status, 401);
  stopping.stopping.abort();
  const ready = await stopping.get("/ready");
  assert.equal(ready.status, 503);
  assert.equal(ready.body.code, "unavailable");
  assert.equal((await stopping.get("/health")).status, 200);
});

test("a store that does not answer in time, or at all, is not ready", async (t) => {
  const immediately = {
    now: Date.now,
    after(_ms: number, callback: () => void) {
      callback();
      return () => {};
    },
  };
  const broken = await startTestService();
  t.after(() => broken.close());
  await broken.store.close();
  assert.equal((await broken.get("/ready")).status, 503);
  const hanging = await startTestService({
    clock: immediately,
    store: { ...broken.store, query: () => new Promise<never>(() => {}) },
  });
  t.after(() => hanging.close());
  assert.equal((await hanging.get("/ready")).status, 503);
});

test("addresses of the protocol's later parts answer 501", async () => {
  for (const [method, path] of [
    ["POST", "/v1/signals"],
    ["POST", "/v1/realtime/publish"],
    ["GET", "/v1/realtime/connect/x"],
    ["POST", "/v1/traces/userland"],
    ["POST", "/v1/checkpoint"],
    ["POST", "/v1/checkpoint/01RUN/steps"],
    ["POST", "/v1/checkpoint/01RUN/stream"],
  ] as const) {
    const { status, body } = await service.send(method, path);
    assert.equal(status, 501, path);
    assert.deepEqual(body, { error: ERRORS.not_supported.sentence, code: "not_supported", status: 501 });
  }
});
