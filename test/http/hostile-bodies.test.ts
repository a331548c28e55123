/** Requests made to hurt, against the whole service in a process of its own: it blames them, and lives on. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { mutated, nested } from "./hostile-requests.ts";
import { EVENT_KEY, startTarget, type Target } from "./hostile-target.ts";
import { assertHonest, exchange } from "./raw-http.ts";

for (const mode of ["dev", "start"] as const) {
  describe(`svc ${mode}`, () => {
    let target: Target;
    before(async () => {
      target = await startTarget(mode);
    });
    after(() => target.close());

    test("what is not quite HTTP is answered like everything else", async () => {
      const chunked = `POST /e/${EVENT_KEY} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`;
      const head = (lines: string) => `GET /health HTTP/1.1\r\nhost: localhost\r\n${lines}\r\n\r\n`;
      const pieces: Record<string, [status: number, text: string]> = {
        "no host": [400, "GET /health HTTP/1.1\r\n\r\n"],
        "an unknown expectation": [200, head("expect: banana\r\nconnection: close")],
        "a proxy's address": [200, "GET http://x/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"],
        "a tunnel": [405, "CONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n"],
        TLS: [400, "\x16\x03\x01\x00\xa5\r\n\r\n"],
        "HTTP/2": [400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
        "a chunk that is none": [400, `${chunked}zz\r\nabc\r\n`],
        "40 KB of chunk extensions": [400, `${chunked}2;${"a".repeat(40_000)}\r\n{}\r\n0\r\n\r\n`],
        "100 KB of trailers": [400, `${chunked}2\r\n{}\r\n0\r\n${"a: b\r\n".repeat(20_000)}\r\n`],
        "two lengths": [400, head("content-length: 2\r\ncontent-length: 3")],
        "a negative length": [400, head("content-length: -2")],
        "a length and chunks": [400, head("content-length: 2\r\ntransfer-encoding: chunked")],
        "20 KB of headers": [400, head(`x: ${"x".repeat(20_000)}`)],
        "3,000 headers": [400, head(Array(3_000).fill("a: b").join("\r\n"))],
        "a path of 20 KB": [400, `GET /${"x".repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
        "a header without a name": [400, head(": x")],
        "NUL in a header": [400, head("x: a\0b")],
      };
      for (const [name, [status, text]] of Object.entries(pieces)) {
        const [answer] = await exchange(target.service.port, Buffer.from(text, "latin1"), { hangUp: false });
        assert.ok(answer !== undefined, name);
        assertHonest(answer);
        assert.equal(answer.status, status, name);
      }
    });

    test("garbage behind a request does not pass for its answer", async () => {
      const event = '{"name":"first/event","data":{}}';
      const first = `POST /e/${EVENT_KEY} HTTP/1.1\r\nhost: x\r\ncontent-length: ${event.length}\r\n\r\n${event}`;
      const [answer] = await exchange(target.service.port, Buffer.from(`${first}garbage\r\n\r\n`));
      assert.equal(answer?.status, 200);
    });

    test("uploads that drip, lie about their length or break off hold up nobody", async () => {
      const path = `/e/${EVENT_KEY}`;
      const event = Buffer.from('{"name":"slow/event","data":{}}');
      const head = (length: number, more = "") =>
        Buffer.from(
          `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}content-length: ${length}\r\n\r\n`,
        );
      await target.healthy(async () => {
        const bytes = [...event].map((byte) => Buffer.from([byte]));
        const broken = Array.from({ length: 200 }, () =>
          exchange(target.service.port, [head(100_000), event], { hangUp: true }),
        );
        const [slow, expecting] = await Promise.all([
          exchange(target.service.port, [head(event.length), ...bytes], { pauseMs: 5 }),
          exchange(target.service.port, [head(event.length, "expect: 100-continue\r\n"), event], {
            pauseMs: 50,
          }),
          ...broken,
        ]);
        assert.deepEqual([slow![0]!.status, expecting![0]!.status], [200, 200]);
        for (const [answer] of await Promise.all(broken)) if (answer !== undefined) assertHonest(answer);
        const pipelined = Buffer.concat(
          Array.from({ length: 500 }, () =>
            Buffer.concat([
              Buffer.from(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${event.length}\r\n\r\n`),
              event,
            ]),
          ),
        );
        const answers = await exchange(target.service.port, [pipelined, head(event.length), event]);
        assert.equal(answers.length, 501);
        assert.ok(answers.every(({ status }) => status === 200));
      });
    });

    test("bodies that are huge, deep or packed are refused in good time", async () => {
      const bomb = Buffer.alloc(200 * 1024 * 1024, " ");
      const bombs: [string, Buffer][] = [
        ["gzip", gzipSync(bomb)],
        ["br", brotliCompressSync(bomb.subarray(0, 50 * 1024 * 1024), { params: { 1: 1 } })],
        ["zstd", zstdCompressSync(bomb)],
        ["gzip, gzip", gzipSync(gzipSync(bomb))],
      ];
      await target.healthy(async () => {
        for (const path of [`/e/${EVENT_KEY}`, "/fn/register", "/v1/checkpoint/x/async", "/v1/apps"]) {
          const headers = { authorization: target.credentials(path) };
          for (const [encoding, body] of bombs) {
            const answer = await target.send({
              target: path,
              headers: { ...headers, "content-encoding": encoding },
              body,
            });
            assert.equal(answer.status, 413, `${encoding} to ${path}: ${answer.body}`);
          }
          const huge = await target.send({ target: path, headers, body: Buffer.alloc(6 * 1024 * 1024, "1") });
          assert.equal(huge.status, 413);
          const deep = await target.send({ target: path, headers, body: Buffer.from("[".repeat(500_000)) });
          assert.ok(deep.status === 400 || deep.status === 413, path);
          const legal = await target.post(path, nested(5_000));
          assert.equal(legal.status, 400, `${path}: ${legal.body}`);
        }
        const ndjson = { "content-type": "application/x-ndjson" };
        const lines = await target.send({ headers: ndjson, body: Buffer.alloc(1_000_000, "\n") });
        assert.equal(lines.status, 413);
        assert.equal((await target.send({ headers: ndjson, body: Buffer.alloc(500_000, "\n") })).status, 400);
      });
      await target.worksStill();
    });

    test("ids that a store would tell apart differently are refused", async () => {
      const fn = (id: string) => ({
        id,
        triggers: [{ event: "a" }],
        steps: { step: { runtime: { url: target.app.url } } },
      });
      for (const ids of [
        ["a\ud800", "a\ud801"],
        ["a\0b", "a"],
      ]) {
        const answer = await target.post("/fn/register", {
          url: target.app.url,
          appName: "odd",
          functions: ids.map(fn),
        });
        assert.equal(answer.status, 400, answer.body);
      }
      const named = await target.post("/fn/register", {
        url: target.app.url,
        appName: "odd\0",
        functions: [fn("a")],
      });
      assert.equal(named.status, 400, named.body);
    });

    test("a sync made to be slow holds up nobody", async () => {
      const functions = Array.from({ length: 1_000 }, (_, n) => ({
        id: `slow-${n}`,
        triggers: Array.from({ length: 2 }, (_, i) => ({
          event: "slow/event",
          expression: `event.data.a${n}_${i} == 1 ${"&& event.data.b.c.d == 'x'".repeat(8)}`,
        })),
        cancel: [{ event: "slow/end", if: `async.data.x${n} == event.data.x` }],
        steps: { step: { runtime: { url: target.app.url } } },
      }));
      const crons = functions.map(({ id, steps }, n) => ({
        id,
        steps,
        triggers: Array.from({ length: 10 }, (_, i) => ({ cron: `${n % 60} ${i} 29 2 ${n % 7}` })),
      }));
      await target.healthy(async () => {
        for (const list of [functions, crons]) {
          const answer = await target.post("/fn/register", {
            url: target.app.url,
            appName: "slow",
            functions: list,
          });
          assert.ok(answer.status === 200 || answer.status === 400 || answer.status === 413, answer.body);
        }
      });
      const headers = { authorization: target.credentials("") };
      await target.send({ method: "DELETE", target: "/v1/apps/slow", headers });
    });

    test("checkpoints of a living call with anything wrong in them change nothing but their own run", async (t) => {
      const op = {
        id: "a".repeat(40),
        op: "StepRun",
        name: "s",
        displayName: "s",
        userland: { id: "s" },
        opts: {},
        data: { x: 1 },
        timing: { a: 1, b: 2 },
      };
      const kinds = [
        "StepRun",
        "Step",
        "StepFailed",
        "StepError",
        "StepPlanned",
        "Sleep",
        "WaitForEvent",
        "InvokeFunction",
        "WaitForSignal",
        "Gateway",
        "AIGateway",
        "RunComplete",
        "DiscoveryRequest",
        "StepNotFound",
        "DeferAdd",
        "__proto__",
        "toString",
      ];
      const whole: object[] = [
        { steps: [{ ...op, data: "x".repeat(4_900_000) }] },
        { steps: Array.from({ length: 100_000 }, (_, i) => ({ id: `s${i}`, op: "Step" })) },
        { steps: Array.from({ length: 200_000 }, () => ({ id: "s", op: "Step" })) },
        {
          steps: Array.from({ length: 5_000 }, (_, i) => ({
            id: `s${i}`,
            op: "StepFailed",
            error: { message: "m".repeat(500) },
          })),
        },
        { steps: [{ ...op, id: "x".repeat(10_000) }] },
        { steps: [{ ...op, id: "\0" }] },
        { steps: [{ ...op, id: "\ud800" }] },
        { steps: [{ ...op, displayName: "n".repeat(1_000_000), userland: null }] },
        { steps: [{ ...op, timing: { a: 1e308, b: 1e308 } }] },
        { steps: [{ ...op, timing: { a: -1e308, b: -1 } }] },
        { steps: [{ ...op, timing: { a: "@@huge@@", b: 1 } }] },
        { steps: [{ ...op, data: nested(400) }] },
        ...kinds.map((kind) => ({ steps: [{ ...op, op: kind }] })),
      ];
      const tally: Record<string, number> = {};
      const report = async (body: object) => {
        let sent: Promise<unknown> = Promise.resolve();
        target.inCall = ({ runId, token }) => {
          sent = target
            .post(`/v1/checkpoint/${runId}/async`, { qi_id: token, ...body })
            .then(({ status }) => {
              tally[status] = (tally[status] ?? 0) + 1;
            });
          return sent.then(
            () => {},
            () => {},
          );
        };
        const run = await target.service.finishedRun(await target.sendEvent("shop/checkpointed"));
        await sent;
        assert.ok(run.status === "completed" || run.error?.name === "LimitError", JSON.stringify(run.error));
      };
      await target.healthy(async () => {
        for (const body of whole) await report(body);
        await fc.assert(
          fc.asyncProperty(mutated({ steps: [op, { ...op, id: "b" }] }), (body) => report(body as object)),
          { numRuns: 60, endOnFailure: true },
        );
      });
      t.diagnostic(JSON.stringify(tally));
      assert.ok((tally[200] ?? 0) > 5);
      await target.worksStill();
    });
  });
}
