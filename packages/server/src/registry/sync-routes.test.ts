import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { afterEach, beforeEach, test } from "node:test";
import { Inngest } from "inngest";
import { serve } from "inngest/node";
import { Inngest as InngestV3 } from "inngest-v3";
import { serve as serveV3 } from "inngest-v3/node";
import { type Listening, listen } from "../../test/listen.ts";
import { serveRoutes } from "../../test/serve-routes.ts";
import { silentLogger } from "../observe/log.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Store } from "../store/store.ts";
import { type AppRegistry, createRegistry } from "./registry.ts";
import { syncRoutes } from "./sync-routes.ts";

let store: Store;
let registry: AppRegistry;
let service: Listening;
const apps: Listening[] = [];
const config = { mode: "dev" as const, discovery: true, poll: true, appUrls: [] };

beforeEach(async () => {
  store = await openSqlite({ dataDir: null, now: Date.now });
  registry = await createRegistry({ store, logger: silentLogger, now: Date.now });
  service = await serveRoutes(syncRoutes({ registry, config }));
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  await service.close();
  await store.close();
});

async function serveApp(listener: RequestListener): Promise<string> {
  const app = await listen(listener);
  apps.push(app);
  return `${app.origin}/api/inngest`;
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${service.origin}/fn/register`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

const SYNC = {
  url: "http://127.0.0.1:3000/api/svc",
  appName: "shop",
  sdk: "js:v1",
  v: "0.1",
  functions: [
    {
      id: "shop-a",
      triggers: [{ event: "shop/order" }],
      steps: {
        step: { id: "step", runtime: { type: "http", url: "http://127.0.0.1:3000/api/svc?fnId=shop-a" } },
      },
    },
  ],
};

test("the current inngest client syncs its functions", async () => {
  const client = new Inngest({ id: "shop", isDev: true, baseUrl: service.origin });
  const order = client.createFunction(
    { id: "order", retries: 2, triggers: [{ event: "shop/order", if: "event.data.total > 100" }] },
    () => "done",
  );
  const failing = client.createFunction(
    { id: "failing", triggers: [{ event: "shop/*" }], onFailure: () => {} },
    () => "done",
  );
  const url = await serveApp(serve({ client, functions: [order, failing] }));
  const answer = await fetch(url, { method: "PUT" });
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { message: "Successfully registered", modified: true });

  assert.deepEqual(
    registry.functions("dev").map((fn) => [fn.id, fn.maxAttempts, fn.dialect, fn.url]),
    [
      ["shop-order", 3, "inngest", `${url}?fnId=shop-order`],
      ["shop-failing", 5, "inngest", `${url}?fnId=shop-failing`],
      ["shop-failing-failure", 2, "inngest", `${url}?fnId=shop-failing-failure`],
    ],
  );
  const match = (name: string, data: unknown) =>
    registry
      .match("dev", { id: "1", name, ts: 1, data: JSON.stringify(data), extra: null })
      .map((fn) => fn.id);
  assert.deepEqual(match("shop/order", { total: 120 }), ["shop-order", "shop-failing"]);
  assert.deepEqual(match("shop/order", { total: 1 }), ["shop-failing"]);
  assert.deepEqual(match("inngest/function.failed", { function_id: "shop-failing" }), [
    "shop-failing-failure",
  ]);

  const again = await fetch(url, { method: "PUT" });
  assert.equal(((await again.json()) as { modified: boolean }).modified, false);
});

test("the previous major of the inngest client finds the development server and syncs", async () => {
  const client = new InngestV3({ id: "old", isDev: true, baseUrl: service.origin });
  const order = client.createFunction({ id: "order" }, { event: "shop/order" }, () => "done");
  const url = await serveApp(serveV3({ client, functions: [order] }));
  const answer = await fetch(url, { method: "PUT" });
  assert.equal(answer.status, 200, await answer.clone().text());
  assert.deepEqual(
    registry.functions("dev").map((fn) => fn.id),
    ["old-order"],
  );
});

test("a client is told by its own sync what is refused, and why", async () => {
  const client = new Inngest({ id: "shop", isDev: true, baseUrl: service.origin });
  const bad = client.createFunction({ id: "bad", triggers: [{ cron: "61 * * * *" }] }, () => "done");
  const url = await serveApp(serve({ client, functions: [bad] }));
  const answer = await fetch(url, { method: "PUT" });
  assert.equal(answer.status, 400);
  assert.match(((await answer.json()) as { message: string }).message, /"shop-bad".*triggers\.0\.cron/);
});

test("a sync is answered with the ids of sync and app and the kind of server", async () => {
  const answer = await post(SYNC, { "x-svc-sdk": "svc-js:v1" });
  assert.equal(answer.headers.get("x-svc-server-kind"), "dev");
  const { sync_id, ...rest } = (await answer.json()) as Record<string, unknown>;
  assert.deepEqual(rest, { ok: true, modified: true, app_id: "shop" });
  assert.match(String(sync_id), /^[0-9A-Z]{26}$/);
  const inngest = await post(SYNC, { "x-inngest-sdk": "inngest-py:v1" });
  assert.equal(inngest.headers.get("x-inngest-server-kind"), "dev");
  assert.equal(registry.find("dev", "shop-a")!.dialect, "inngest");
});

test("a refusal has the one error shape and still names the kind of server", async () => {
  const answer = await post({ ...SYNC, functions: [{ ...SYNC.functions[0], triggers: [] }] });
  assert.equal(answer.status, 400);
  assert.equal(answer.headers.get("x-svc-server-kind"), "dev");
  const body = (await answer.json()) as Record<string, unknown>;
  assert.equal(body.code, "invalid_request");
  assert.equal(body.status, 400);
  assert.equal(body.function, "shop-a");
  assert.equal(body.field, "triggers");
});

test("an app that was asked to sync by another kind of server is refused", async () => {
  const refused = await post(SYNC, { "x-inngest-expected-server-kind": "cloud" });
  assert.equal(refused.status, 400);
  assert.match(((await refused.json()) as { error: string }).error, /by a production server/);
  assert.equal((await post(SYNC, { "x-inngest-expected-server-kind": "dev" })).status, 200);
});

test("GET /dev tells clients of the development server, and only of that", async () => {
  await post(SYNC);
  const answer = await fetch(`${service.origin}/dev`);
  assert.equal(answer.status, 200);
  const body = (await answer.json()) as { functions: { id: string }[]; startOpts: unknown };
  assert.deepEqual(
    body.functions.map((fn) => fn.id),
    ["shop-a"],
  );
  const production = syncRoutes({ registry, config: { ...config, mode: "start" } });
  assert.deepEqual(
    production.map((route) => route.path),
    ["/fn/register"],
  );
});
