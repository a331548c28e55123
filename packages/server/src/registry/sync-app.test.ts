import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { afterEach, beforeEach, test } from "node:test";
import { signBody } from "@svc/protocol";
import { Inngest } from "inngest";
import { serve } from "inngest/node";
import { Inngest as InngestV3 } from "inngest-v3";
import { serve as serveV3 } from "inngest-v3/node";
import { type Listening, listen } from "../../test/listen.ts";
import { serveRoutes } from "../../test/serve-routes.ts";
import { silentLogger } from "../observe/log.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Store } from "../store/store.ts";
import { type AppClient, createAppClient } from "./app-client.ts";
import { type AppRegistry, createRegistry } from "./registry.ts";
import { addressKey, createSyncApp } from "./sync-app.ts";
import { syncRoutes } from "./sync-routes.ts";

const KEY = "abcdef0123456789abcdef0123456789";
let store: Store;
let registry: AppRegistry;
let client: AppClient;
let service: Listening;
const servers: Listening[] = [];

beforeEach(async () => {
  store = await openSqlite({ dataDir: null, now: Date.now });
  registry = await createRegistry({ store, logger: silentLogger, now: Date.now });
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

async function app(listener: RequestListener): Promise<string> {
  const server = await listen(listener);
  servers.push(server);
  return `${server.origin}/api/inngest`;
}

const inDev = (url: string) =>
  createSyncApp({ registry, client, config: { mode: "dev" }, signingKeys: () => [], now: Date.now })(
    "dev",
    url,
  );

const inProduction = async (url: string, ...signingKeys: string[]) => {
  const cloud = createAppClient({ allowLinkLocal: false, serverKind: "cloud", now: Date.now });
  try {
    const config = { mode: "start" as const };
    return await createSyncApp({
      registry,
      client: cloud,
      config,
      signingKeys: () => signingKeys,
      now: Date.now,
    })("production", url);
  } finally {
    await cloud.close();
  }
};

const answering =
  (
    status: number,
    body: string,
    headers: Record<string, string> = { "x-svc-sdk": "svc-js:v1" },
  ): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

test("an app that is asked to sync registers by itself", async () => {
  const inngest = new Inngest({ id: "shop", isDev: true, baseUrl: service.origin });
  const order = inngest.createFunction({ id: "order", triggers: [{ event: "shop/order" }] }, () => 1);
  const url = await app(serve({ client: inngest, functions: [order] }));
  const synced = await inDev(url);
  assert.equal(synced.app.id, "shop");
  assert.equal(synced.modified, true);
  assert.equal((await inDev(url)).modified, false);
  assert.equal((await inDev(url.replace("127.0.0.1", "localhost"))).app.id, "shop");
});

for (const [name, create] of [
  [
    "current",
    () => {
      const inngest = new Inngest({ id: "shop", signingKey: KEY, isDev: false, logger: silentLogger });
      const order = inngest.createFunction({ id: "order", triggers: [{ event: "shop/order" }] }, () => 1);
      return serve({ client: inngest, functions: [order] });
    },
  ],
  [
    "previous",
    () => {
      const inngest = new InngestV3({ id: "shop", isDev: false, logger: silentLogger });
      const order = inngest.createFunction({ id: "order" }, { event: "shop/order" }, () => 1);
      return serveV3({ client: inngest, functions: [order], signingKey: KEY });
    },
  ],
] as const) {
  test(`with a signing key the ${name} inngest client answers with its registration`, async () => {
    const url = await app(create());
    const synced = await inProduction(url, KEY);
    assert.equal(synced.app.id, "shop");
    const fn = registry.find("production", "shop-order")!;
    assert.equal(fn.dialect, "inngest");
    assert.equal(fn.url, `${url}?fnId=shop-order`);
    await assert.rejects(inProduction(url, "0123456789abcdef"), {
      code: "sync_failed",
      message: /status 401/,
    });
    assert.equal((await inProduction(url, "0123456789abcdef", KEY)).app.id, "shop");
  });
}

test("a registration as an answer is refused when its signature is missing or wrong", async () => {
  const body = JSON.stringify({
    app_id: "shop",
    url: "http://127.0.0.1:1/api/svc",
    functions: [],
    sdk: "js:v1",
  });
  for (const signature of [undefined, await signBody(body, "00ff", Date.now())]) {
    const headers = { "x-svc-sdk": "svc-js:v1", ...(signature && { "x-svc-signature": signature }) };
    const url = await app(answering(200, body, headers));
    await assert.rejects(inProduction(url, KEY), {
      code: "sync_failed",
      message: /is not signed: (missing|mismatch)/,
    });
  }
  const signed = { "x-svc-sdk": "svc-js:v1", "x-svc-signature": await signBody(body, KEY, Date.now()) };
  assert.equal((await inProduction(await app(answering(200, body, signed)), KEY)).app.id, "shop");
});

test("an address where nothing listens is told of with a sentence", async () => {
  const url = await app(answering(200, ""));
  await servers.pop()!.close();
  await assert.rejects(inDev(url), {
    code: "sync_failed",
    message: /Nothing listens at .* connection was refused/,
  });
});

test("an answer that is not an SDK's is quoted", async () => {
  const page = `<html>${"x".repeat(5_000)}</html>`;
  const url = await app(answering(404, page, { "content-type": "text/html" }));
  await assert.rejects(inDev(url), (error: Error) => {
    assert.match(error.message, /does not come from an SDK: status 404, "<html>x+"\.$/);
    return error.message.length < 400;
  });
});

test("the refusal of an app is passed on with its message", async () => {
  const url = await app(answering(500, JSON.stringify({ message: "Missing event key" })));
  await assert.rejects(inDev(url), { message: /did not sync: Missing event key \(status 500\)/ });
});

test("an app that registers with another service is told apart", async () => {
  const url = await app(
    answering(200, JSON.stringify({ message: "Successfully registered", modified: true })),
  );
  await assert.rejects(inDev(url), { message: /is not known here/ });
});

test("an answer without end is cut off", async () => {
  const url = await app((_request, response) => {
    response.writeHead(200, { "x-svc-sdk": "svc-js:v1" });
    const chunk = Buffer.alloc(256 * 1024, 97);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more);
    more();
  });
  await assert.rejects(inDev(url), { message: /larger than 4 MiB/ });
});

test("an app that cannot be synced any more is marked, until it can", async () => {
  const inngest = new Inngest({ id: "shop", isDev: true, baseUrl: service.origin });
  const order = inngest.createFunction({ id: "order", triggers: [{ event: "shop/order" }] }, () => 1);
  const handler = serve({ client: inngest, functions: [order] });
  const url = await app(handler);
  await inDev(url);
  await servers.pop()!.close();
  await assert.rejects(inDev(url));
  assert.match(registry.apps("dev")[0]!.error!, /connection was refused/);
  assert.equal(registry.find("dev", "shop-order")?.id, "shop-order");
  servers.push(await listen(handler, Number(new URL(url).port)));
  await inDev(url);
  assert.equal(registry.apps("dev")[0]!.error, null);
});

test("in development an app that changed its id takes the place of its former self", async () => {
  let handler: RequestListener = () => {};
  const url = await app((request, response) => handler(request, response));
  for (const id of ["first", "second"]) {
    const inngest = new Inngest({ id, isDev: true, baseUrl: service.origin });
    const order = inngest.createFunction({ id: "order", triggers: [{ event: "shop/order" }] }, () => 1);
    handler = serve({ client: inngest, functions: [order] });
    await inDev(url);
  }
  assert.deepEqual(
    registry.functions("dev").map((fn) => fn.id),
    ["second-order"],
  );
});

test("addresses that differ in the name of this machine or in the query are one", () => {
  const one = addressKey("http://localhost:3000/api/svc");
  for (const same of [
    "http://127.0.0.1:3000/api/svc/",
    "http://[::1]:3000/api/svc?x=1",
    "http://0.0.0.0:3000/api/svc",
  ]) {
    assert.equal(addressKey(same), one);
  }
  for (const other of [
    "http://localhost:3001/api/svc",
    "https://localhost:3000/api/svc",
    "http://a.b:3000/api/svc",
  ]) {
    assert.notEqual(addressKey(other), one);
  }
});

test("an address that is not http(s) is refused", async () => {
  await assert.rejects(inDev("file:///etc/passwd"), { code: "invalid_request" });
  await assert.rejects(inDev("nonsense"), { code: "invalid_request" });
});
