import assert from "node:assert/strict";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { test } from "node:test";
import { silentLogger } from "../observe/log.ts";
import { createListener } from "./listener.ts";

function start(router: (req: IncomingMessage, res: ServerResponse) => Promise<void>) {
  return createListener({ hot: () => false, router, logger: silentLogger });
}

function read(port: number, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port, host: "127.0.0.1", agent }, (res) => {
      let text = "";
      res.on("data", (chunk) => {
        text += chunk;
      });
      res.on("end", () => resolve(text));
    }).on("error", reject);
  });
}

test("the hot path is asked first", async () => {
  const listener = createListener({
    hot(req, res) {
      if (req.url !== "/hot") return false;
      res.end("hot");
      return true;
    },
    router: async (_req, res) => void res.end("routed"),
    logger: silentLogger,
  });
  const port = await listener.listen(0, "127.0.0.1");
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/hot`)).text(), "hot");
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/other`)).text(), "routed");
  await listener.close(1_000);
});

test("closing finishes what is in progress, drops idle connections and takes no new ones", async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  let requests = 0;
  const listener = start(async (_req, res) => {
    if (++requests === 1) res.end("first");
    else arrived.resolve(res);
  });
  const port = await listener.listen(0, "127.0.0.1");
  const idle = new Agent({ keepAlive: true });
  assert.equal(await read(port, idle), "first");
  const busy = new Agent({ keepAlive: true });
  const answer = read(port, busy);
  const response = await arrived.promise;
  let closed = false;
  const closing = listener.close(10_000).then(() => {
    closed = true;
  });
  await assert.rejects(read(port, new Agent()), { code: "ECONNREFUSED" });
  assert.equal(closed, false);
  response.end("finished");
  assert.equal(await answer, "finished");
  // The kept connection has fallen idle and is closed; no deadline is waited for.
  await closing;
  idle.destroy();
  busy.destroy();
});

test("a request that does not end is cut at the deadline", async () => {
  const arrived = Promise.withResolvers<void>();
  const listener = start(async () => arrived.resolve());
  const port = await listener.listen(0, "127.0.0.1");
  const answer = assert.rejects(read(port, new Agent()), { code: "ECONNRESET" });
  await arrived.promise;
  await listener.close(10);
  await answer;
});

test("a port in use is said in a sentence that names a way out", async () => {
  const first = start(async () => {});
  const port = await first.listen(0, "127.0.0.1");
  await assert.rejects(start(async () => {}).listen(port, "127.0.0.1"), /Port \d+ is in use.*--port/);
  await first.close(10);
});
