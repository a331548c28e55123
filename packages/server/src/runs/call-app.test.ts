import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createAppCaller } from "./call-app.ts";

test("a call ends at its time also when its answer drips on", async (t) => {
  const server = createServer((_req, res) => {
    res.writeHead(201);
    const drip = setInterval(() => res.write(" "), 20);
    res.on("close", () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const caller = createAppCaller({ timeoutMs: 300, maxAnswerBytes: 1_000_000, connections: 1 });
  t.after(async () => {
    await caller.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const call = caller.post(url, {}, "{}", AbortSignal.timeout(5_000));
  await assert.rejects(call, /did not answer within \d{3} ms/);
});
