import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { discardBody } from "./discard.ts";

// A request is a readable stream; nothing else of it matters here.
const streamed = () => new PassThrough();
const discard = (stream: PassThrough, limits: { bytes: number; ms: number }) =>
  discardBody(stream as unknown as IncomingMessage, limits);

test("a body within the limits is read to its end", async () => {
  const stream = streamed();
  stream.end("x".repeat(100));
  assert.equal(await discard(stream, { bytes: 100, ms: 10_000 }), true);
  assert.equal(await discard(stream, { bytes: 100, ms: 10_000 }), true);
});

test("a body past the limit of bytes is given up", async () => {
  const stream = streamed();
  stream.write("x".repeat(101));
  assert.equal(await discard(stream, { bytes: 100, ms: 10_000 }), false);
});

test("a body that never ends is given up in time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const outcome = discard(streamed(), { bytes: 100, ms: 10_000 });
  t.mock.timers.tick(10_000);
  assert.equal(await outcome, false);
});

test("a client that leaves is given up", async () => {
  const stream = streamed();
  const outcome = discard(stream, { bytes: 100, ms: 10_000 });
  stream.destroy();
  assert.equal(await outcome, false);
  assert.equal(await discard(stream, { bytes: 100, ms: 10_000 }), false);
});
