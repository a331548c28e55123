import assert from "node:assert/strict";
import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { after, test } from "node:test";
import * as z from "zod";
import { type TestAccess, testAccess } from "../../test/test-access.ts";
import type { Access } from "../access/access.ts";
import { ServiceError } from "../errors.ts";
import { silentLogger } from "../observe/log.ts";
import { createListener, type Listener } from "./listener.ts";
import { route, streamed } from "./route.ts";
import { createRouter } from "./router.ts";

const listeners: Listener[] = [];
const stores: TestAccess[] = [];
after(async () => {
  await Promise.all(listeners.map((listener) => listener.close(100)));
  for (const each of stores) await each.close();
});

const routes = [
  route({
    method: "GET",
    path: "/v1/things",
    access: "api",
    permission: "read",
    query: z.object({ limit: z.coerce.number().int().max(10).default(5) }),
    handle: ({ query, env }) => ({ body: { limit: query.limit, env } }),
  }),
  route({
    method: "POST",
    path: "/v1/things",
    access: "open",
    body: z.object({ name: z.string(), tags: z.array(z.object({ key: z.string() })).optional() }),
    maxBodyBytes: 2_000,
    handle: ({ body }) => ({ status: 201, body: { name: body.name } }),
  }),
  route({
    method: "GET",
    path: "/v1/things/:id",
    access: "open",
    handle: ({ params, query }) => ({ body: { id: params.id, query } }),
  }),
  route({ method: "GET", path: "/v1/things/count", access: "open", handle: () => ({ body: { count: 1 } }) }),
  route({ method: "DELETE", path: "/v1/things/:id", access: "open", handle: () => ({}) }),
  route({
    method: "POST",
    path: "/v1/later/*",
    access: "open",
    handle: ({ params }) => ({ body: { rest: params["*"] } }),
  }),
  route({
    method: "POST",
    path: "/fn/register",
    access: "signing-key",
    handle: ({ env }) => ({ body: { env } }),
  }),
  route({
    method: "GET",
    path: "/broken",
    access: "open",
    handle() {
      throw new TypeError("the password is hunter2");
    },
  }),
  route({
    method: "GET",
    path: "/busy",
    access: "open",
    handle() {
      throw new ServiceError("rate_limited", undefined, { retry_after: 7 });
    },
  }),
  route({
    method: "GET",
    path: "/stream",
    access: "open",
    handle({ response }) {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end("live");
      return streamed;
    },
  }),
];

async function start(mode: "dev" | "start", access?: Access, answered?: (p: string, s: number) => void) {
  const config = { mode, host: "127.0.0.1", trustProxy: false };
  const router = createRouter(routes, access ?? (await accessOf(mode)), {
    config,
    logger: silentLogger,
    ...(answered && { answered }),
  });
  const listener = createListener({ hot: () => false, router, logger: silentLogger });
  listeners.push(listener);
  const port = await listener.listen(0, "127.0.0.1");
  return { port, url: `http://127.0.0.1:${port}` };
}

async function accessOf(mode: "dev" | "start"): Promise<Access> {
  const opened = await testAccess(mode, KEYS);
  stores.push(opened);
  return opened.access;
}

const KEYS = {
  eventKeys: ["evt-0123456789abcdef"],
  signingKeys: ["signkey-prod-abcdef0123456789abcdef0123456789"],
  apiTokens: ["token-0123456789"],
};
const SIGNING_HASH = "3e4ca04a7a69cf22ada1ccc20cdec2f6d8c098e94e5776f47407b289c9e38a5c";
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A request with headers that fetch does not let one set. */
function raw(port: number, path: string, headers: OutgoingHttpHeaders, method = "GET") {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const req = httpRequest({ port, host: "127.0.0.1", path, headers, method, agent: false }, (res) => {
      let body = "";
      res.on("data", (chunk) => {
        body += chunk;
      });
      res.on("end", () => resolve({ status: res.statusCode!, body }));
    });
    req.on("error", reject);
    req.end();
  });
}

const production = await start("start");
const development = await start("dev");

test("a route is found by method and path, exact segments before parameters", async () => {
  const get = async (path: string) => (await fetch(production.url + path)).json();
  assert.deepEqual(await get("/v1/things/a%2Fb%20c?x=1&x=2"), { id: "a/b c", query: { x: "2" } });
  assert.deepEqual(await get("/v1/things/count"), { count: 1 });
  const rest = await fetch(`${production.url}/v1/later/a/b`, { method: "POST" });
  assert.deepEqual(await rest.json(), { rest: "a/b" });
  assert.equal((await fetch(`${production.url}/v1/things/x`, { method: "DELETE" })).status, 204);
  assert.equal(await (await fetch(`${production.url}/stream`)).text(), "live");
});

test("what is not there is a 404 in the one error shape", async () => {
  for (const path of ["/", "/v1", "/v1/things/", "/v1/things/a/b", "/v1/later", "//", "/%"]) {
    const answer = await fetch(production.url + path);
    assert.equal(answer.status, 404, path);
    assert.deepEqual(await answer.json(), {
      error: "There is nothing here.",
      code: "not_found",
      status: 404,
    });
  }
});

test("a method that is not there is a 405 that says which are; OPTIONS says so with 204", async () => {
  const put = await fetch(`${production.url}/v1/things`, { method: "PUT" });
  assert.equal(put.status, 405);
  assert.equal(put.headers.get("allow"), "GET, POST, HEAD, OPTIONS");
  assert.equal((await put.json()).code, "method_not_allowed");
  const options = await fetch(`${production.url}/v1/things/9`, { method: "OPTIONS" });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get("allow"), "GET, DELETE, HEAD, OPTIONS");
});

test("HEAD answers as GET without the body", async () => {
  const head = await fetch(`${production.url}/v1/things/count`, { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get("content-length"), "11");
  assert.equal(await head.text(), "");
});

test("a bad percent-encoding or NUL in the path or query is a 400 that names the place", async () => {
  for (const [path, field] of [
    ["/v1/things/%zz", "id"],
    ["/v1/things/%ff", "id"],
    ["/v1/things/a%00", "id"],
    ["/v1/things/a?q=%00", "q"],
  ]) {
    const { status, body } = await raw(production.port, path!, {});
    assert.equal(status, 400);
    assert.equal(JSON.parse(body).code, "invalid_request");
    assert.equal(JSON.parse(body).field, field);
  }
});

test("query and body are validated by the route's schemas, and the bad field is named", async () => {
  const headers = bearer(KEYS.apiTokens[0]!);
  const get = (query: string) => fetch(`${production.url}/v1/things?${query}`, { headers });
  assert.deepEqual(await (await get("limit=3")).json(), { limit: 3, env: "production" });
  assert.deepEqual(await (await get("")).json(), { limit: 5, env: "production" });
  for (const bad of ["limit=11", "limit=x", "limit=1.5"]) {
    const answer = await get(bad);
    assert.equal(answer.status, 400);
    assert.equal((await answer.json()).field, "limit");
  }
  const post = (body: string) => fetch(`${production.url}/v1/things`, { method: "POST", body });
  assert.equal((await post('{"name":"x"}')).status, 201);
  const nested = await (await post('{"name":"x","tags":[{"key":"a"},{"key":2}]}')).json();
  assert.equal(nested.field, "tags.1.key");
  assert.equal((await (await post("{")).json()).code, "invalid_json");
  assert.equal((await (await post("")).json()).code, "invalid_json");
  assert.equal((await (await post("7")).json()).code, "invalid_request");
  assert.equal((await (await post(`${"[".repeat(700)}${"]".repeat(700)}`)).json()).code, "invalid_json");
  // It would be kept as null.
  const infinite = await (await post('{"name":"x","tags":[{"key":"a","n":-1e999}]}')).json();
  assert.deepEqual([infinite.code, infinite.field], ["invalid_request", "tags.0.n"]);
  const large = await post(`{"name":"${"x".repeat(3_000)}"}`);
  assert.equal(large.status, 413);
  assert.equal((await large.json()).code, "payload_too_large");
});

test("an unexpected error says nothing of the inside, a known one says when to come back", async () => {
  const broken = await fetch(`${production.url}/broken`);
  assert.equal(broken.status, 500);
  assert.doesNotMatch(await broken.text(), /hunter2|TypeError|\.ts/);
  const busy = await fetch(`${production.url}/busy`);
  assert.equal(busy.status, 429);
  assert.equal(busy.headers.get("retry-after"), "7");
});

test("every answer has a request id, the caller's own if it is a plain one, and forbids sniffing", async () => {
  const first = await fetch(`${production.url}/nothing`);
  assert.match(first.headers.get("x-request-id")!, /^[0-9A-Z]{26}$/);
  assert.equal(first.headers.get("x-content-type-options"), "nosniff");
  const own = await fetch(`${production.url}/nothing`, { headers: { "x-request-id": "abc-1" } });
  assert.equal(own.headers.get("x-request-id"), "abc-1");
  const odd = await fetch(`${production.url}/nothing`, { headers: { "x-request-id": "a b" } });
  assert.notEqual(odd.headers.get("x-request-id"), "a b");
});

test("start: API and app routes need their own kind of key", async () => {
  const things = (headers: Record<string, string>) => fetch(`${production.url}/v1/things`, { headers });
  for (const headers of [
    {},
    { authorization: "Basic abc" },
    bearer("nope"),
    bearer(KEYS.eventKeys[0]!),
    bearer(SIGNING_HASH),
    bearer("x".repeat(2_000)),
  ]) {
    const answer = await things(headers as Record<string, string>);
    assert.equal(answer.status, 401);
    assert.equal((await answer.json()).code, "unauthorized");
  }
  assert.equal((await things({ authorization: `bearer ${KEYS.apiTokens[0]}` })).status, 200);

  const register = (headers: Record<string, string>) =>
    fetch(`${production.url}/fn/register`, { method: "POST", headers });
  for (const hash of [SIGNING_HASH, `signkey-prod-${SIGNING_HASH}`, SIGNING_HASH.toUpperCase()]) {
    assert.equal((await register(bearer(hash))).status, 200);
  }
  // The key itself is not what an app shows.
  assert.equal((await register(bearer(KEYS.signingKeys[0]!))).status, 401);
  assert.equal((await register(bearer(KEYS.apiTokens[0]!))).status, 401);
  assert.equal((await register({})).status, 401);
});

test("start: a token of the configuration is for every environment there is", async () => {
  const token = bearer(KEYS.apiTokens[0]!);
  const status = async (headers: Record<string, string>, query = "") =>
    (await fetch(`${production.url}/v1/things${query}`, { headers: { ...token, ...headers } })).status;
  assert.equal(await status({ "x-svc-env": "production" }), 200);
  assert.equal(await status({}, "?env=production"), 200);
  assert.equal(await status({ "x-svc-env": "staging" }), 404);
  assert.equal(await status({ "x-inngest-env": "staging" }), 404);
  assert.equal(await status({}, "?env=staging"), 404);
});

test("dev: any or no credentials lead to the one environment, whatever an SDK says of its branch", async () => {
  const get = async (headers: Record<string, string>, query = "") =>
    fetch(`${development.url}/v1/things${query}`, { headers });
  for (const headers of [{}, bearer("anything"), { "x-svc-env": "feature/x" }]) {
    assert.equal((await (await get(headers as Record<string, string>)).json()).env, "dev");
  }
  assert.equal((await get({}, "?env=dev")).status, 200);
  assert.equal((await get({}, "?env=production")).status, 404);
});

test("dev: the API answers under names of this machine only", async () => {
  const status = async (host: string) => (await raw(development.port, "/v1/things", { host })).status;
  for (const host of [
    "localhost",
    "LOCALHOST:8288",
    "svc.localhost:1",
    "127.0.0.1:8288",
    "[::1]:8288",
    "192.168.1.7",
    "host.docker.internal:8288",
  ]) {
    assert.equal(await status(host), 200, host);
  }
  for (const host of [
    "evil.example",
    "localhost.evil.example:8288",
    "127.0.0.1.evil.example",
    "x@localhost",
  ]) {
    assert.equal(await status(host), 403, host);
  }
  const { status: app } = await raw(development.port, "/fn/register", { host: "svc:8288" }, "POST");
  assert.equal(app, 200, "an app in a container reaches us under any name");
  const page = { host: "svc:8288", origin: "http://evil.example" };
  assert.equal((await raw(development.port, "/fn/register", page, "POST")).status, 403);
  assert.equal((await raw(production.port, "/v1/things/1", { host: "events.example.com" })).status, 200);
});

test("dev: pages of other origins may call the API, also from the internet; in production not", async () => {
  const preflight = {
    origin: "https://app.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization",
    "access-control-request-private-network": "true",
  };
  const allowed = await fetch(`${development.url}/v1/things`, { method: "OPTIONS", headers: preflight });
  assert.equal(allowed.status, 204);
  assert.equal(allowed.headers.get("access-control-allow-origin"), "*");
  assert.equal(allowed.headers.get("access-control-allow-headers"), "authorization");
  assert.equal(allowed.headers.get("access-control-allow-private-network"), "true");
  const read = await fetch(`${development.url}/v1/things`, { headers: { origin: "https://app.example" } });
  assert.equal(read.headers.get("access-control-allow-origin"), "*");
  const refused = await fetch(`${production.url}/v1/things`, { method: "OPTIONS", headers: preflight });
  assert.equal(refused.headers.get("access-control-allow-origin"), null);
});

test("answers are reported by the pattern of their route", async () => {
  const seen: [string, number][] = [];
  const { url } = await start("start", undefined, (pattern, status) => seen.push([pattern, status]));
  await fetch(`${url}/v1/things/7`);
  await fetch(`${url}/nowhere`);
  await fetch(`${url}/v1/things`);
  assert.deepEqual(seen, [
    ["/v1/things/:id", 200],
    ["unmatched", 404],
    ["/v1/things", 401],
  ]);
});

test("a request that is not HTTP gets a 400 in the one error shape", async () => {
  const answer = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(production.port, "127.0.0.1", () => socket.write("what?\r\n\r\n"));
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
  });
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.equal(JSON.parse(answer.split("\r\n\r\n")[1]!).code, "invalid_request");
});

test("headers past 16 KB are refused", async () => {
  const { status, body } = await raw(production.port, "/", { "x-large": "x".repeat(17_000) });
  assert.equal(status, 400);
  assert.match(JSON.parse(body).error, /16 KiB/);
});
