import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { ServiceError } from "../errors.ts";
import { type Logger, silentLogger } from "../observe/log.ts";
import { sendError, sendJson } from "./errors.ts";

async function serve(t: TestContext, handler: (req: IncomingMessage, res: ServerResponse) => void) {
  const server = createServer(handler);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a ServiceError is answered with its status, body and retry-after", async (t) => {
  const url = await serve(t, (_req, res) => {
    res.setHeader("access-control-allow-origin", "*");
    sendError(res, new ServiceError("rate_limited", undefined, { retry_after: 1.2 }), silentLogger);
  });
  const res = await fetch(url);
  assert.equal(res.status, 429);
  assert.equal(res.headers.get("retry-after"), "2");
  assert.equal(res.headers.get("content-type"), "application/json");
  assert.equal(res.headers.get("access-control-allow-origin"), "*");
  assert.deepEqual(await res.json(), {
    error: "Too many requests.",
    code: "rate_limited",
    status: 429,
    retry_after: 1.2,
  });
});

test("an unexpected error is logged under the reference the client gets, and tells nothing else", async (t) => {
  const logged: Record<string, unknown>[] = [];
  const logger: Logger = { ...silentLogger, error: (_message, fields) => logged.push(fields!) };
  for (const thrown of [new Error("secret detail"), "secret detail", null]) {
    const url = await serve(t, (_req, res) => sendError(res, thrown, logger));
    const res = await fetch(`${url}/e/secret-key`);
    const text = await res.text();
    assert.equal(res.status, 500);
    assert.doesNotMatch(text, /secret/);
    const fields = logged.pop()!;
    assert.equal(fields.reference, JSON.parse(text).reference);
    assert.match(String(fields.error), /secret detail|null/);
    assert.doesNotMatch(JSON.stringify(fields), /secret-key/);
  }
});

test("an error before the body was read reaches the client, and the server goes on", async (t) => {
  const url = await serve(t, (req, res) => {
    if (req.url === "/bad") sendError(res, new ServiceError("unauthorized"), silentLogger);
    else sendJson(res, 200, {});
  });
  for (const body of ["x", "x".repeat(1_000_000)]) {
    const bad = await fetch(`${url}/bad`, { method: "POST", body });
    assert.equal(bad.status, 401);
    await bad.text();
    assert.equal((await fetch(url)).status, 200);
  }
});

test("an error after the answer has begun breaks the answer off", async (t) => {
  const url = await serve(t, (_req, res) => {
    res.writeHead(200, { "content-length": 10 });
    res.write("half", () => sendError(res, new ServiceError("internal"), silentLogger));
  });
  const res = await fetch(url);
  await assert.rejects(res.text());
});

test("an error after the answer is complete, or after the client left, is not answered", async (t) => {
  let gone: (() => void) | undefined;
  const left = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const url = await serve(t, (req, res) => {
    if (req.url === "/leave") {
      res.on("close", () => {
        sendError(res, new Error("late"), silentLogger);
        gone!();
      });
      return;
    }
    sendJson(res, 200, { ok: true });
    sendError(res, new Error("late"), silentLogger);
  });
  assert.deepEqual(await (await fetch(url)).json(), { ok: true });
  const req = request(`${url}/leave`);
  req.on("error", () => {});
  req.end();
  await once(req, "finish");
  req.destroy();
  await left;
  assert.equal((await fetch(url)).status, 200);
});
