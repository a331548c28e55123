/** Hostile and broken bodies: the edge must answer each of them, and only ever blame the sender for them. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { RESERVED_PREFIXES } from "@svc/protocol";
import fc from "fast-check";
import { ServiceError } from "../src/errors.ts";
import { readBody } from "../src/http/body.ts";
import { sendError, sendJson } from "../src/http/errors.ts";
import { type IncomingEvent, parseEvents } from "../src/ingest/parse.ts";
import type { Logger } from "../src/observe/log.ts";
import { bodies, contentTypes, encodedBodies, NOW } from "./random-bodies.ts";

const PURE_RUNS = 20_000;
const HTTP_RUNS = 500;
const MAX_BYTES = 64 * 1024;

/** The rules once more, written independently of the code under test. */
function assertValid(event: IncomingEvent): void {
  const nameBytes = Buffer.byteLength(event.name);
  assert.ok(nameBytes >= 1 && nameBytes <= 256 && event.name === event.name.trim());
  assert.doesNotMatch(event.name, /\p{Cc}|\p{Cs}/u);
  assert.ok(RESERVED_PREFIXES.every((prefix) => !event.name.startsWith(prefix)));
  const data = JSON.parse(event.data);
  assert.ok(typeof data === "object" && data !== null && !Array.isArray(data));
  assert.equal(JSON.stringify(data), event.data);
  assert.ok(Number.isSafeInteger(event.ts) && event.ts > 0 && event.ts <= NOW + 365 * 86_400_000);
  if (event.idempotencyId !== null) {
    const idBytes = Buffer.byteLength(event.idempotencyId);
    assert.ok(idBytes >= 1 && idBytes <= 256 && !/\0|\p{Cs}/u.test(event.idempotencyId));
  }
  if (event.extra !== null) {
    const extra = JSON.parse(event.extra);
    for (const key of Object.keys(extra)) assert.ok(["user", "v", "cloudevent"].includes(key), key);
  }
}

test(`${PURE_RUNS} random bodies are each accepted as valid events or refused with a 4xx`, (t) => {
  const tally: Record<string, number> = {};
  let parsing = 0;
  fc.assert(
    fc.property(bodies, contentTypes, (body, type) => {
      const start = performance.now();
      let outcome = "accepted";
      try {
        const events = parseEvents(body, type, { now: NOW });
        parsing += performance.now() - start;
        assert.ok(events.length > 0);
        events.forEach(assertValid);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        parsing += performance.now() - start;
        assert.ok(error.status >= 400 && error.status < 500);
        assert.ok(error.message.isWellFormed() && error.message.length < 500);
        outcome = error.code;
      }
      tally[outcome] = (tally[outcome] ?? 0) + 1;
    }),
    { numRuns: PURE_RUNS },
  );
  t.diagnostic(`${JSON.stringify(tally)}, ${parsing.toFixed(0)} ms within parseEvents`);
  // A fuzzer that gets nothing accepted tests only the first check.
  assert.ok((tally.accepted ?? 0) > PURE_RUNS / 20);
});

test(`${HTTP_RUNS} random requests over HTTP never get a 5xx, and the server lives on`, async (t) => {
  const faults: unknown[] = [];
  const record = (_message: string, fields?: Record<string, unknown>) => void faults.push(fields);
  const logger: Logger = { debug() {}, info() {}, warn: record, error: record };
  const server = createServer(async (req, res) => {
    try {
      const body = await readBody(req, { maxBytes: MAX_BYTES });
      sendJson(res, 200, { count: parseEvents(body, req.headers["content-type"], { now: NOW }).length });
    } catch (error) {
      sendError(res, error, logger);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => {
    agent.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const post = async (body: Buffer, headers: Record<string, string>): Promise<number> => {
    const req = request({ port, method: "POST", agent, headers });
    req.end(body);
    const [res] = (await once(req, "response")) as [IncomingMessage];
    await once(res.resume(), "end");
    return res.statusCode!;
  };
  const tally: Record<number, number> = {};
  await fc.assert(
    fc.asyncProperty(encodedBodies, contentTypes, async ({ body, encoding }, type) => {
      const headers: Record<string, string> = {};
      if (encoding !== undefined) headers["content-encoding"] = encoding;
      // Header values that HTTP itself forbids cannot be sent.
      if (type !== undefined && /^[\x20-\x7e]*$/.test(type)) headers["content-type"] = type;
      const status = await post(body, headers);
      tally[status] = (tally[status] ?? 0) + 1;
      assert.ok(status === 200 || (status >= 400 && status < 500), String(status));
    }),
    { numRuns: HTTP_RUNS },
  );
  t.diagnostic(JSON.stringify(tally));
  assert.deepEqual(faults, []);
  assert.equal(await post(Buffer.from('{"name":"a","data":{}}'), {}), 200);
});
