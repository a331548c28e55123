import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { afterEach, beforeEach, test } from "node:test";
import { Inngest } from "inngest";
import { serve } from "inngest/node";
import { type Listening, listen } from "../../test/listen.ts";
import { serveRoutes } from "../../test/serve-routes.ts";
import type { Logger } from "../observe/log.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Store } from "../store/store.ts";
import { type AppClient, createAppClient } from "./app-client.ts";
import { createDiscovery, type Discovery, type DiscoveryOptions } from "./discovery.ts";
import { type AppRegistry, createRegistry } from "./registry.ts";
import { createSyncApp } from "./sync-app.ts";
import { syncRoutes } from "./sync-routes.ts";

let store: Store;
let registry: AppRegistry;
let client: AppClient;
let service: Listening;
let clock = 1_000_000;
let logged: string[] = [];
const servers: Listening[] = [];
const logger: Logger = {
  debug() {},
  info: (message) => logged.push(message),
  warn: (message) => logged.push(message),
  error: (message) => logged.push(message),
};

beforeEach(async () => {
  logged = [];
  store = await openSqlite({ dataDir: null, now: () => clock });
  registry = await createRegistry({ store, logger: { ...logger, info() {} }, now: () => clock });
  const config = { mode: "dev" as const, discovery: true, poll: true, appUrls: [] };
  service = await serveRoutes(syncRoutes({ registry, config }));
  client = createAppClient({ allowLinkLocal: false, serverKind: "dev", now: Date.now });
});
afterEach(async () => {
  await client.close();
  for (const server of servers.splice(0)) await server.close();
  await service.close();
  await store.close();
});

function shop(id = "shop"): RequestListener {
  const inngest = new Inngest({ id, isDev: true, baseUrl: service.origin });
  const order = inngest.createFunction({ id: "order", triggers: [{ event: "shop/order" }] }, () => 1);
  const handler = serve({ client: inngest, functions: [order] });
  return (request, response) => {
    if (request.url!.startsWith("/api/inngest")) handler(request, response);
    else response.writeHead(404).end("not here");
  };
}

async function running(listener: RequestListener, port?: number): Promise<Listening> {
  const server = await listen(listener, port);
  servers.push(server);
  return server;
}

function discovery(
  config: Partial<DiscoveryOptions["config"]> = {},
  more: Partial<DiscoveryOptions> = {},
): Discovery {
  const full = {
    mode: "dev" as const,
    port: 1,
    appUrls: [],
    discovery: true,
    poll: true,
    pollIntervalMs: 5_000,
    ...config,
  };
  const syncApp = createSyncApp({
    registry,
    client,
    config: { mode: full.mode },
    signingKeys: () => [],
    now: () => clock,
  });
  return createDiscovery({
    config: full,
    env: "dev",
    registry,
    client,
    syncApp,
    logger,
    now: () => clock,
    ports: [],
    ...more,
  });
}
const functions = () => registry.functions("dev").map((fn) => fn.id);

test("an app on a common port is found and synced", async () => {
  const { port, origin } = await running(shop());
  const found = discovery({}, { ports: [port] });
  await found.sweep();
  assert.deepEqual(functions(), ["shop-order"]);
  assert.deepEqual(found.targets(), [
    {
      url: `${origin}/api/inngest`,
      source: "discovered",
      state: "connected",
      error: null,
      app_id: "shop",
      tried_at: clock,
    },
  ]);
  assert.deepEqual(logged, [`The app shop is connected at ${origin}/api/inngest`]);
});

test("the port of the service itself is left alone", async () => {
  const { port, requests } = await running(shop());
  await discovery({ port }, { ports: [port] }).sweep();
  assert.deepEqual(requests, []);
});

test("a server that is no app is asked for each path once, and again only after a pause", async () => {
  const other = await running((_request, response) => response.writeHead(404).end());
  const found = discovery({}, { ports: [other.port] });
  await found.sweep();
  const first = other.requests.length;
  assert.ok(first >= 7 && other.requests.every((line) => line.startsWith("GET /")), String(other.requests));
  await found.sweep();
  assert.equal(other.requests.length, first);
  clock += 15_000;
  await found.sweep();
  assert.equal(other.requests.length, first * 2);
  assert.deepEqual(logged, []);
});

test("a known app that ends is marked and told of once, and so is its return", async () => {
  const app = await running(shop());
  const found = discovery({}, { ports: [app.port] });
  await found.sweep();
  await app.close();
  logged = [];
  await found.sweep();
  await found.sweep();
  assert.equal(logged.length, 1);
  assert.match(logged[0]!, /connection was refused/);
  assert.equal(found.targets()[0]!.state, "lost");
  assert.match(registry.apps("dev")[0]!.error!, /connection was refused/);
  assert.deepEqual(functions(), ["shop-order"]);

  await running(shop(), app.port);
  await found.sweep();
  await found.sweep();
  assert.equal(logged.length, 2);
  assert.match(logged[1]!, /^The app shop at .* is back$/);
  assert.equal(registry.apps("dev")[0]!.error, null);
});

test("a known app is synced again and again, so its new functions appear", async () => {
  let handler = shop();
  const app = await running((request, response) => handler(request, response));
  const found = discovery({ discovery: false, appUrls: [`${app.origin}/api/inngest`] });
  await found.sweep();
  const inngest = new Inngest({ id: "shop", isDev: true, baseUrl: service.origin });
  const paid = inngest.createFunction({ id: "paid", triggers: [{ event: "shop/paid" }] }, () => 1);
  handler = serve({ client: inngest, functions: [paid] });
  await found.sweep();
  assert.deepEqual(functions(), ["shop-paid"]);
});

test("without polling only configured apps are synced again", async () => {
  const found = await running(shop("found"));
  const named = await running(shop("named"));
  const watch = discovery({ poll: false, appUrls: [`${named.origin}/api/inngest`] }, { ports: [found.port] });
  await watch.sweep();
  const before = [found.requests.length, named.requests.length];
  await watch.sweep();
  assert.equal(found.requests.length, before[0]);
  assert.equal(named.requests.length, before[1]! + 1);
});

test("a configured app that does not answer shows its error", async () => {
  const app = await running(shop());
  await app.close();
  const watch = discovery({ appUrls: [`${app.origin}/api/inngest`] });
  await watch.sweep();
  await watch.sweep();
  const [target] = watch.targets();
  assert.equal(target!.state, "waiting");
  assert.match(target!.error!, /connection was refused/);
  assert.equal(logged.length, 1);
});

test("an app removed by hand is left alone until it has ended and comes back", async () => {
  const app = await running(shop());
  const watch = discovery({}, { ports: [app.port] });
  await watch.sweep();
  await registry.archiveApp("dev", "shop");
  clock += 15_000;
  await watch.sweep();
  assert.deepEqual(functions(), []);
  await app.close();
  clock += 15_000;
  await watch.sweep();
  await running(shop(), app.port);
  clock += 15_000;
  await watch.sweep();
  assert.deepEqual(functions(), ["shop-order"]);
});

test("rounds do not overlap", async () => {
  const app = await running(shop());
  const watch = discovery({ discovery: false, appUrls: [`${app.origin}/api/inngest`] });
  await Promise.all([watch.sweep(), watch.sweep(), watch.sweep()]);
  assert.equal(app.requests.length, 1);
});

/** A clock for timers: holds what is due, runs it when told. */
function heldTimers() {
  const held: { task: () => void; ms: number }[] = [];
  let wake = () => {};
  return {
    later(task: () => void, ms: number) {
      const entry = { task, ms };
      held.push(entry);
      wake();
      return () => {
        held.splice(held.indexOf(entry), 1);
      };
    },
    /** The next timer to be set. */
    async next() {
      while (held.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return held.shift()!;
    },
    held,
  };
}

test("a round follows the other after the interval, until it is stopped", async () => {
  const timers = heldTimers();
  const watch = discovery({ pollIntervalMs: 7_000 }, { later: timers.later });
  watch.start();
  watch.start();
  for (let i = 0; i < 3; i++) {
    const timer = await timers.next();
    assert.equal(timer.ms, 7_000);
    timer.task();
  }
  await timers.next();
  await watch.stop();
  assert.deepEqual(timers.held, []);
});

test("in production configured apps are tried, ever more slowly, until they have answered once", async () => {
  const timers = heldTimers();
  const app = await running(shop());
  await app.close();
  const watch = discovery(
    { mode: "start", appUrls: [`${app.origin}/api/inngest`] },
    { later: timers.later, ports: [app.port] },
  );
  watch.start();
  for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const timer = await timers.next();
    assert.equal(timer.ms, pause);
    timer.task();
  }
  const last = await timers.next();
  const again = await running(shop(), app.port);
  last.task();
  await watch.sweep();
  assert.equal(watch.targets()[0]!.state, "connected");
  await watch.stop();
  assert.deepEqual(again.requests, ["PUT /api/inngest"]);
  assert.deepEqual(timers.held, []);
});
