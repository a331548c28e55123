/** Every adapter through its real framework, over real HTTP where the framework has a server. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { listen, silent } from "../../test/app.ts";
import { startMiniService } from "../../test/mini-service.ts";
import { serve as serveExpress } from "../express.ts";
import { serve as serveFastify } from "../fastify.ts";
import { serve as serveFetch } from "../fetch.ts";
import { serve as serveHono } from "../hono.ts";
import { Client, type ServeOptions } from "../index.ts";
import { serve as serveNext } from "../next.ts";
import { serve as serveNode } from "../node.ts";

const KEY = "signkey-test-abcdef0123456789";

/** How each framework is brought to listen; resolves with its origin. */
const frameworks: Record<string, (t: TestContext, options: ServeOptions) => Promise<string>> = {
  nodejs: (t, options) => listen(t, serveNode(options)),
  express: (t, options) => listen(t, express().use("/api/svc", serveExpress(options))),
  "express behind express.json()": (t, options) =>
    listen(t, express().use(express.json()).use("/api/svc", serveExpress(options))),
  fastify: async (t, options) => {
    const app = fastify();
    t.after(() => app.close());
    await app.register(serveFastify, options);
    app.post("/other", async (request) => request.body);
    return app.listen({ port: 0, host: "127.0.0.1" });
  },
  hono: (t, options) => {
    const app = new Hono().on(["GET", "PUT", "POST"], "/api/svc", serveHono(options));
    return listenFetch(t, (request) => app.fetch(request));
  },
  nextjs: (t, options) => {
    const route = serveNext(options);
    return listenFetch(t, (request) => route[request.method as "GET" | "POST" | "PUT"](request));
  },
  fetch: (t, options) => listenFetch(t, serveFetch(options)),
};

for (const [name, start] of Object.entries(frameworks)) {
  test(`${name}: syncs, tells about itself and runs a function with signatures`, async (t) => {
    const service = await startMiniService(KEY);
    t.after(() => service.close());
    const client = new Client({
      id: "app",
      baseUrl: service.url,
      signingKey: KEY,
      logger: silent,
      isDev: false,
    });
    const greet = client.createFunction({ id: "greet" }, "test/event", async ({ event, step }) => {
      const greeting = await step.run("greet", () => `Grüße, ${event.data.name} 👋`);
      await step.sleep("nap", "1s");
      return greeting;
    });
    const origin = await start(t, { client, functions: [greet], serveOrigin: "https://shop.example.com" });
    const url = `${origin}/api/svc`;

    const about = (await (await fetch(url)).json()) as { function_count: number; mode: string };
    assert.deepEqual([about.function_count, about.mode], [1, "cloud"]);

    const sync = await fetch(url, { method: "PUT" });
    assert.deepEqual(await sync.json(), { message: "Successfully registered", modified: true });
    const { body } = service.registrations[0]!;
    assert.equal(body.url, "https://shop.example.com/api/svc");
    assert.equal(
      body.functions[0]!.steps.step!.runtime.url,
      "https://shop.example.com/api/svc?fnId=app-greet&stepId=step",
    );
    assert.equal(body.framework, name.split(" ")[0]);

    const run = await service.run(url, "app-greet", { name: "test/event", data: { name: "Zoë" } });
    assert.equal(run.output, "Grüße, Zoë 👋");
    const { headers } = run.calls.at(-1)!;
    assert.equal(headers.get("x-svc-framework"), name.split(" ")[0]);
    assert.equal(headers.get("x-svc-req-version"), "2");
    assert.match(headers.get("content-type") ?? "", /^application\/json/);
    assert.match(headers.get("x-svc-signature") ?? "", /^t=\d+&s=[0-9a-f]{64}$/);

    const unsigned = await fetch(`${url}?fnId=app-greet&stepId=step`, { method: "POST", body: "{}" });
    assert.equal(unsigned.status, 401);
    const tooLarge = await fetch(`${url}?fnId=app-greet`, {
      method: "POST",
      body: "x".repeat(9_000_000),
    }).catch(() => undefined);
    if (tooLarge) assert.equal(tooLarge.status, 413);
  });
}

test("fastify: other routes keep their own body parsers", async (t) => {
  const client = new Client({ id: "app", isDev: true, logger: silent });
  const origin = await frameworks.fastify!(t, { client, functions: [] });
  const response = await fetch(`${origin}/other`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"a":1}',
  });
  assert.deepEqual(await response.json(), { a: 1 });
});

test("node and fetch answer 404 off their path, and say where the functions are", async (t) => {
  const client = new Client({ id: "app", isDev: true, logger: silent });
  for (const name of ["nodejs", "fetch"]) {
    const origin = await frameworks[name]!(t, { client, functions: [], servePath: "/here" });
    assert.equal((await fetch(`${origin}/here`)).status, 200);
    const elsewhere = await fetch(`${origin}/api/svc`);
    assert.equal(elsewhere.status, 404);
    assert.match(await elsewhere.text(), /served at \/here/);
  }
});

/** Serve a fetch handler by node:http, as the adapters of those frameworks do. */
function listenFetch(
  t: TestContext,
  handle: (request: Request) => Response | Promise<Response>,
): Promise<string> {
  return listen(t, async (req, res) => {
    const request = new Request(`http://${req.headers.host}${req.url}`, {
      method: req.method ?? "GET",
      headers: req.headers as Record<string, string>,
      ...(req.method === "GET" ? {} : { body: req as unknown as ReadableStream, duplex: "half" }),
    } as RequestInit);
    const response = await handle(request);
    res.writeHead(response.status, Object.fromEntries(response.headers));
    res.end(await response.text());
  });
}
