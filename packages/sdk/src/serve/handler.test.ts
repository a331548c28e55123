import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson, signBody } from "@svc/protocol";
import { silent } from "../../test/app.ts";
import { type MiniService, startMiniService } from "../../test/mini-service.ts";
import { Client, type ClientOptions } from "../index.ts";
import {
  type AppHandler,
  type AppRequest,
  type AppResponse,
  createAppHandler,
  type ServeOptions,
} from "./handler.ts";

const KEY = "abcdef0123456789abcdef0123456789";
const OLD_KEY = "0123456789abcdef";

interface Endpoint {
  service: MiniService;
  handler: AppHandler;
  ask(request: Partial<AppRequest>): Promise<AppResponse & { json: Record<string, unknown> }>;
}

async function endpoint(
  t: { after(fn: () => void): void },
  options: Partial<ClientOptions> = {},
  serving: Partial<ServeOptions> = {},
): Promise<Endpoint> {
  const service = await startMiniService();
  t.after(() => service.close());
  const client = new Client({
    id: "shop",
    baseUrl: service.url,
    logger: silent,
    isDev: !options.signingKey,
    ...options,
  });
  const ship = client.createFunction(
    { id: "ship", name: "Ship it", retries: 2, onFailure: () => {} },
    [{ event: "shop/order.created", if: "event.data.total > 10" }, "shop/order.paid"],
    () => "shipped",
  );
  const handler = createAppHandler({ client, functions: [ship], ...serving }, "test");
  return {
    service,
    handler,
    ask: async (request) => {
      const url = "http://app.local:3000/api/svc";
      const response = await handler({ method: "GET", url, headers: {}, body: "", ...request });
      return { ...response, json: JSON.parse(response.body) };
    },
  };
}

const callBody = {
  ctx: { run_id: "r", attempt: 0, max_attempts: 1, stack: { stack: [], current: 0 } },
  event: { name: "shop/order.created", data: {} },
  steps: {},
};
const callUrl = "http://app.local:3000/api/svc?fnId=shop-ship&stepId=step";

test("a sync registers functions, their failure handlers, triggers and retries", async (t) => {
  const { service, ask } = await endpoint(t, { env: "branch" });
  const response = await ask({ method: "PUT", url: "http://app.local:3000/api/svc?deployId=d1" });
  assert.deepEqual(response.json, { message: "Successfully registered", modified: true });
  const { headers, body, url } = service.registrations[0]!;
  assert.equal(url, "/fn/register?deployId=d1");
  assert.equal(headers["x-svc-env"], "branch");
  assert.equal(headers["x-svc-expected-server-kind"], "dev");
  assert.equal(headers.authorization, undefined);
  const step = (id: string): object => ({
    step: {
      id: "step",
      name: "step",
      runtime: { type: "http", url: `http://app.local:3000/api/svc?fnId=${id}&stepId=step` },
      retries: { attempts: 2 },
    },
  });
  assert.deepEqual(body, {
    url: "http://app.local:3000/api/svc",
    deployType: "ping",
    framework: "test",
    appName: "shop",
    sdk: "js:v0.1.0",
    v: "0.1",
    capabilities: {},
    functions: [
      {
        id: "shop-ship",
        name: "Ship it",
        triggers: [
          { event: "shop/order.created", expression: "event.data.total > 10" },
          { event: "shop/order.paid" },
        ],
        steps: step("shop-ship"),
      },
      {
        id: "shop-ship-failure",
        name: "Ship it (failure)",
        triggers: [{ event: "svc/function.failed", expression: "event.data.function_id == 'shop-ship'" }],
        steps: step("shop-ship-failure"),
      },
    ],
  });
});

test("a sync that the service refuses says why", async (t) => {
  const { service, ask } = await endpoint(t);
  service.refuse("/fn/register", { status: 400, body: { error: "Function ship has a bad trigger." } });
  const response = await ask({ method: "PUT" });
  assert.equal(response.status, 502);
  assert.match(String(response.json.message), /Function ship has a bad trigger/);
});

test("a signed in-band sync is answered with the registration itself", async (t) => {
  const { service, ask } = await endpoint(t, { signingKey: KEY });
  const headers = { "x-svc-sync-kind": "in_band", "x-svc-signature": await signBody("", KEY, Date.now()) };
  const response = await ask({ method: "PUT", headers });
  assert.equal(response.status, 200);
  assert.equal(response.json.appName, "shop");
  assert.equal((response.json.functions as unknown[]).length, 2);
  assert.equal(service.registrations.length, 0);
  assert.equal((await ask({ method: "PUT", headers: { "x-svc-sync-kind": "in_band" } })).status, 401);
});

test("an unsigned sync in cloud mode needs an address that its sender cannot make up", async (t) => {
  const open = await endpoint(t, { signingKey: KEY });
  const refused = await open.ask({ method: "PUT", url: "http://evil.example/api/svc" });
  assert.equal(refused.status, 401);
  assert.match(String(refused.json.message), /SVC_SERVE_ORIGIN/);
  assert.equal(open.service.registrations.length, 0);
  const fixed = await endpoint(
    t,
    { signingKey: KEY },
    { serveOrigin: "https://shop.example", servePath: "/svc" },
  );
  assert.equal((await fixed.ask({ method: "PUT", url: "http://evil.example/api/svc" })).status, 200);
  assert.equal(fixed.service.registrations[0]!.body.url, "https://shop.example/svc");
});

test("a rotated key: the service knows only the new one, or only the old one", async (t) => {
  const { service, ask } = await endpoint(
    t,
    { signingKey: KEY, signingKeyFallback: OLD_KEY },
    { serveOrigin: "https://shop.example" },
  );
  for (const key of [KEY, OLD_KEY]) {
    const body = JSON.stringify(callBody);
    const headers = { "x-svc-signature": await signBody(body, key, Date.now()) };
    assert.equal((await ask({ method: "POST", url: callUrl, headers, body })).json, "shipped" as never);
  }
  service.refuse("/fn/register", { status: 401, body: { error: "unknown key" } });
  assert.equal((await ask({ method: "PUT" })).status, 200);
  assert.equal(new Set(service.tokens).size, 2);
});

test("calls that are not signed by the service are refused with the reason", async (t) => {
  const { ask } = await endpoint(t, { signingKey: KEY });
  const body = JSON.stringify(callBody);
  const now = Date.now();
  for (const [header, reason] of [
    [undefined, /no signature/],
    ["nonsense", /malformed/],
    [await signBody(body, KEY, now - 600_000), /too old/],
    [await signBody(body, "ffff", now), /does not fit/],
    [await signBody("other", KEY, now), /does not fit/],
  ] as const) {
    const response = await ask({
      method: "POST",
      url: callUrl,
      headers: { "x-svc-signature": header },
      body,
    });
    assert.equal(response.status, 401);
    assert.match(String(response.json.message), reason);
  }
});

test("a body that the framework has parsed is checked in its canonical form", async (t) => {
  const { ask } = await endpoint(t, { signingKey: KEY });
  for (const text of [canonicalJson(callBody), JSON.stringify(callBody)]) {
    const headers = { "x-svc-signature": await signBody(text, KEY, Date.now()) };
    const response = await ask({ method: "POST", url: callUrl, headers, body: structuredClone(callBody) });
    assert.equal(response.status, 200);
  }
});

test("in cloud mode without a signing key every call is refused with what to set", async (t) => {
  const { ask } = await endpoint(t, { isDev: false });
  const response = await ask({ method: "POST", url: callUrl, body: JSON.stringify(callBody) });
  assert.equal(response.status, 500);
  assert.match(String(response.json.message), /SVC_SIGNING_KEY/);
});

test("introspection tells everyone a little, and the service the rest", async (t) => {
  const { ask } = await endpoint(t, { signingKey: KEY, eventKey: "secret-event-key" });
  const open = await ask({});
  assert.deepEqual(open.json, {
    function_count: 2,
    mode: "cloud",
    has_event_key: true,
    has_signing_key: true,
    has_signing_key_fallback: false,
  });
  const signed = await ask({ headers: { "x-svc-signature": await signBody("", KEY, Date.now()) } });
  assert.equal(signed.json.app_id, "shop");
  assert.equal((signed.json.functions as { id: string }[])[1]!.id, "shop-ship-failure");
  assert.doesNotMatch(signed.body, new RegExp(`secret-event-key|${KEY}`));
});

test("what cannot be routed is refused in a way that may be tried again", async (t) => {
  const { ask } = await endpoint(t);
  for (const [request, status] of [
    [{ method: "DELETE" }, 405],
    [{ method: "POST", url: "http://app.local/api/svc?fnId=gone", body: JSON.stringify(callBody) }, 404],
    [{ method: "POST", url: callUrl, body: "{" }, 400],
    [{ method: "POST", url: callUrl, body: "null" }, 400],
    [{ method: "POST", url: callUrl, body: '{"ctx":{}}' }, 400],
  ] as const) {
    const response = await ask(request);
    assert.equal(response.status, status);
    assert.equal(response.headers["x-svc-no-retry"], "false");
    assert.equal(typeof response.json.message, "string");
  }
});

test("two functions with one id are refused when serving starts", async (t) => {
  const { service } = await endpoint(t);
  const client = new Client({ id: "shop", baseUrl: service.url, isDev: true });
  const fn = client.createFunction({ id: "ship" }, "a", () => {});
  assert.throws(
    () => createAppHandler({ client, functions: [fn, fn] }, "test"),
    /Two functions have the id "ship"/,
  );
});
