import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type TestContext, test } from "node:test";
import * as zlib from "node:zlib";
import { silentLogger } from "../observe/log.ts";
import { type BodyOptions, readBody } from "./body.ts";
import { sendError, sendJson } from "./errors.ts";

const MAX = 64 * 1024;

/** A server that answers with the length and text of what it read; `outcomes` gets every settled read. */
async function serve(t: TestContext, options: Partial<BodyOptions> = {}) {
  const outcomes: unknown[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (req: IncomingMessage, res: ServerResponse) => {
    try {
      const body = await readBody(req, { maxBytes: MAX, ...options });
      outcomes.push(body);
      sendJson(res, 200, { bytes: body.length, text: Buffer.from(body).toString("latin1").slice(0, 100) });
    } catch (error) {
      outcomes.push(error);
      sendError(res, error, silentLogger);
    }
    for (const wake of waiting.splice(0)) wake();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = (server.address() as AddressInfo).port;
  return {
    port,
    outcomes,
    /** Resolves when the next read has settled. */
    settled: () => new Promise<void>((resolve) => waiting.push(resolve)),
    async post(body: Uint8Array | string, encoding?: string) {
      const headers = encoding === undefined ? {} : { "content-encoding": encoding };
      const res = await fetch(`http://127.0.0.1:${port}`, {
        method: "POST",
        body: body as BodyInit,
        headers,
      });
      return {
        status: res.status,
        headers: res.headers,
        json: (await res.json()) as Record<string, unknown>,
      };
    },
  };
}

/** Send raw bytes, never reading before all is written, and give all that came back until the end. */
async function raw(port: number, parts: (string | Uint8Array)[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const failed: unknown[] = [];
  socket.on("error", (error) => failed.push(error));
  await once(socket, "connect");
  for (const part of parts) {
    if (!socket.write(part)) await once(socket, "drain");
  }
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk.toString("latin1");
  });
  await once(socket, "close");
  assert.deepEqual(failed, []);
  return answer;
}

test("a body is read whole, in one chunk or many, with or without a length", async (t) => {
  const server = await serve(t);
  assert.deepEqual((await server.post("hello")).json, { bytes: 5, text: "hello" });
  assert.equal((await server.post("")).json.bytes, 0);
  assert.equal((await server.post("x".repeat(MAX))).json.bytes, MAX);
  const chunked = "POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n";
  assert.match(
    await raw(server.port, [chunked, "3\r\nabc\r\n", "2\r\nde\r\n", "0\r\n\r\n"]),
    /"text":"abcde"/,
  );
});

test("every encoding is taken off, and two in a row", async (t) => {
  const server = await serve(t);
  const bytes = Buffer.from("hello");
  const cases: [string, Uint8Array][] = [
    ["gzip", zlib.gzipSync(bytes)],
    ["X-GZIP", zlib.gzipSync(bytes)],
    ["deflate", zlib.deflateSync(bytes)],
    ["deflate", zlib.deflateRawSync(bytes)],
    ["br", zlib.brotliCompressSync(bytes)],
    ["zstd", zlib.zstdCompressSync(bytes)],
    ["identity", bytes],
    ["", bytes],
    ["identity, gzip , identity", zlib.gzipSync(bytes)],
    ["gzip, br", zlib.brotliCompressSync(zlib.gzipSync(bytes))],
    ["gzip", Buffer.concat([zlib.gzipSync(bytes.subarray(0, 2)), zlib.gzipSync(bytes.subarray(2))])],
  ];
  for (const [encoding, body] of cases) {
    assert.deepEqual((await server.post(body, encoding)).json, { bytes: 5, text: "hello" }, encoding);
  }
});

test("an unknown encoding is refused with the list of known ones", async (t) => {
  const server = await serve(t);
  for (const encoding of ["compress", "gzip, lzma", "gzip, gzip, gzip"]) {
    const { status, json, headers } = await server.post("x", encoding);
    assert.equal(status, 415);
    assert.equal(json.code, "unsupported_encoding");
    assert.deepEqual(json.supported, ["gzip", "deflate", "br", "zstd", "identity"]);
    assert.equal(headers.get("accept-encoding"), "gzip, deflate, br, zstd, identity");
  }
});

test("corrupt or cut off encoded data is the sender's error", async (t) => {
  const server = await serve(t);
  const bytes = Buffer.from("hello".repeat(100));
  const encoders = [
    ["gzip", zlib.gzipSync],
    ["deflate", zlib.deflateSync],
    ["deflate", zlib.deflateRawSync],
    ["br", zlib.brotliCompressSync],
    ["zstd", zlib.zstdCompressSync],
  ] as const;
  for (const [encoding, encode] of encoders) {
    const whole = encode(bytes);
    for (const body of [whole.subarray(0, -3), Buffer.from("not encoded at all"), Buffer.alloc(0)]) {
      const { status, json } = await server.post(body, encoding);
      assert.equal(status, 400, `${encoding} ${body.length}`);
      assert.equal(json.code, "invalid_json");
    }
  }
});

test("a bomb is refused by its decoded size", async (t) => {
  const server = await serve(t);
  const bomb = Buffer.alloc(50 * 1024 * 1024);
  const cases: [string, Uint8Array][] = [
    ["gzip", zlib.gzipSync(bomb)],
    ["br", zlib.brotliCompressSync(bomb, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ["zstd", zlib.zstdCompressSync(bomb)],
    ["gzip, gzip", zlib.gzipSync(zlib.gzipSync(bomb))],
  ];
  for (const [encoding, body] of cases) {
    const { status, json } = await server.post(body, encoding);
    assert.equal(status, 413, encoding);
    assert.equal(json.code, "payload_too_large");
    assert.equal(json.limit, MAX);
  }
});

test("a frame that claims a huge window is refused before it takes the memory", async (t) => {
  const server = await serve(t);
  // Magic, no content size, window of 128 MiB, then an empty last block.
  const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 17 << 3, 0x01, 0x00, 0x00]);
  assert.equal((await server.post(frame, "zstd")).status, 400);
});

test("a limit is met at its last byte, encoded or not", async (t) => {
  const server = await serve(t);
  const most = Buffer.alloc(MAX, "x");
  const more = Buffer.alloc(MAX + 1, "x");
  assert.equal((await server.post(most)).status, 200);
  assert.equal((await server.post(zlib.gzipSync(most), "gzip")).status, 200);
  assert.equal((await server.post(more)).status, 413);
  assert.equal((await server.post(zlib.gzipSync(more), "gzip")).status, 413);
});

test("a client that sends 5 MB before it reads still gets the answer", async (t) => {
  const server = await serve(t);
  const body = Buffer.alloc(5 * 1024 * 1024, "x");
  for (const connection of ["close", "keep-alive"]) {
    const head = `POST / HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\ncontent-length: ${body.length}\r\n\r\n`;
    // The second request shows whether the connection is still in order; after "close" it must not be answered.
    const next = "POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\nhi";
    const answer = await raw(server.port, [head, body, ...(connection === "close" ? [] : [next])]);
    assert.match(answer, /^HTTP\/1.1 413 .*"code":"payload_too_large"/s);
    assert.equal(answer.includes('"text":"hi"'), connection === "keep-alive");
  }
  const chunk = Buffer.concat([
    Buffer.from("100000\r\n"),
    Buffer.alloc(1024 * 1024, "x"),
    Buffer.from("\r\n"),
  ]);
  const head = "POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n";
  const answer = await raw(server.port, [head, chunk, chunk, chunk, chunk, chunk, "0\r\n\r\n"]);
  assert.match(answer, /^HTTP\/1.1 413 .*"limit":65536/s);
});

test("a refusal by announced length does not wait for the body", async (t) => {
  const server = await serve(t);
  const req = request({ port: server.port, method: "POST", headers: { "content-length": 10_000_000 } });
  req.flushHeaders();
  const [res] = (await once(req, "response")) as [IncomingMessage];
  assert.equal(res.statusCode, 413);
  req.on("error", () => {});
  req.destroy();
});

test("a client that leaves in the middle ends the read", async (t) => {
  const server = await serve(t);
  const settled = server.settled();
  const socket = connect(server.port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc", () => socket.destroy());
  await settled;
  assert.equal((server.outcomes[0] as { code: string }).code, "invalid_request");
  assert.equal((await server.post("still there")).status, 200);
});

test("a body that does not arrive in time is refused", async (t) => {
  const server = await serve(t, { timeoutMs: 20 });
  const req = request({ port: server.port, method: "POST", headers: { "content-length": 10 } });
  req.write("abc");
  const [res] = (await once(req, "response")) as [IncomingMessage];
  assert.equal(res.statusCode, 408);
  req.end("defghij");
  await once(res.resume(), "end");
});
