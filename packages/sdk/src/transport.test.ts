import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import { listen } from "../test/app.ts";
import { createTransport } from "./transport.ts";

test("requests share a kept connection, and survive the service closing it", async (t) => {
  const sockets = new Set<Socket>();
  let answers = 0;
  const url = await listen(t, (req, res) => {
    sockets.add(req.socket);
    // The third request finds its connection cut, as when an idle one is closed at that moment.
    if (answers === 2 && sockets.size === 1) return void req.socket.resetAndDestroy();
    answers++;
    req.resume().on("end", () => res.end("{}"));
  });
  const send = createTransport(undefined);
  for (let i = 0; i < 3; i++) {
    const answer = await send({ method: "POST", url, headers: {}, body: "é" });
    assert.deepEqual([answer.status, answer.ok, answer.text], [200, true, "{}"]);
  }
  assert.equal(sockets.size, 2);
});

test("a given fetch, or a replaced global one, sees the requests", async (t) => {
  const seen: string[] = [];
  const spy = (name: string) => async (url: string | URL | Request) => {
    seen.push(`${name} ${url}`);
    return new Response("no", { status: 429, headers: { "retry-after": "7" } });
  };
  const request = { method: "GET", url: "http://service.test/x", headers: {} } as const;
  const answer = await createTransport(spy("own"))(request);
  assert.deepEqual(answer, { status: 429, ok: false, text: "no", retryAfter: "7" });
  const original = globalThis.fetch;
  t.after(() => {
    globalThis.fetch = original;
  });
  globalThis.fetch = spy("global") as typeof fetch;
  await createTransport(undefined)(request);
  assert.deepEqual(seen, ["own http://service.test/x", "global http://service.test/x"]);
});

test("a refused connection rejects", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const request = { method: "GET", url: `http://localhost:${port}/`, headers: {} } as const;
  await assert.rejects(createTransport(undefined)(request), { code: "ECONNREFUSED" });
});
