/** Requests to webhooks that nobody should send, and transforms that nobody should write: the service blames them, and lives on. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { type ServiceProcess, startServiceProcess } from "../service-process.ts";
import { nested } from "./hostile-requests.ts";
import { MAX_HEALTH_MS } from "./hostile-target.ts";
import { exchange, type RawRequest, requestBytes } from "./raw-http.ts";
import { type Json, webhookClient } from "./webhook-service.ts";

const MAX_GROWTH = 250 * 1024 * 1024;
const MIB = 1024 * 1024;

describe("webhooks under fire", () => {
  let service: ServiceProcess & ReturnType<typeof webhookClient>;
  before(async () => {
    const process = await startServiceProcess("dev");
    service = { ...process, ...webhookClient(process) };
  });
  after(() => service.close());

  const pathOf = (hook: Json) => new URL(hook.url).pathname;
  /** Send one request by hand. @returns its one answer */
  const raw = async (target: string, fields: Partial<RawRequest> = {}) => {
    const request = { method: "POST", target, headers: {}, body: Buffer.from("{}"), ...fields };
    const answers = await exchange(service.port, requestBytes(request));
    assert.equal(answers.length, 1, JSON.stringify(request).slice(0, 500));
    return answers[0]!;
  };
  const healthy = async (act: () => Promise<unknown>) => {
    const slowest = service.watchHealth();
    await act().finally(async () => {
      const ms = await slowest();
      assert.ok(ms <= MAX_HEALTH_MS, `/health took ${ms} ms`);
    });
  };
  const worksStill = async () => {
    const hook = await service.create("return {name: 'still/works', data: {}}");
    assert.equal((await service.send(hook.url, {})).status, 200);
    assert.deepEqual(service.complaints, []);
  };
  const echo = () =>
    service.create("return {name: 'echo/event', data: {evt, headers, queryParams, raw: raw.slice(0, 100)}}");

  test("odd content types, broken forms and deep JSON become an outcome, never a fault", async () => {
    const hook = await echo();
    const boundary = "multipart/form-data; boundary=x";
    const rows: [string, string | Buffer][] = [
      ["", "{}"],
      [";;;", "{}"],
      ["application/json; charset=utf-16", "{}"],
      ["application/json; charset=banana", '{"a":1}'],
      ["application/json", JSON.stringify(nested(400))],
      ["application/json", "[".repeat(500_000)],
      ["application/json", `{"a":${"9".repeat(100_000)}}`],
      ["application/json", '{"__proto__":{"name":"x"},"constructor":{"prototype":{}}}'],
      ["application/x-www-form-urlencoded", "&=&==&%&%zz&__proto__=1&constructor=2&toString"],
      ["application/x-www-form-urlencoded", "a=1&".repeat(100_000)],
      ["application/x-www-form-urlencoded", Buffer.from([0xff, 0x3d, 0xfe])],
      ["multipart/form-data", "--x\r\n\r\n--x--"],
      [boundary, ""],
      [boundary, "--x"],
      [boundary, '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nunfinished'],
      [boundary, '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n1\r\n--x--\r\n'],
      [boundary, `${"--x\r\n\r\n".repeat(50_000)}--x--`],
      [`multipart/form-data; boundary=${"b".repeat(5_000)}`, "--b"],
      ['multipart/form-data; boundary="', "x"],
      ["text/plain", Buffer.alloc(512 * 1024, 0xff)],
    ];
    for (const [type, body] of rows) {
      const { status } = await raw(pathOf(hook), {
        headers: { "content-type": type },
        body: Buffer.from(body as string),
      });
      assert.ok(status === 200 || status === 202, `${type} ${String(body).slice(0, 40)}: ${status}`);
      const kept = await service.newest(hook);
      assert.deepEqual(Buffer.from(kept.body, kept.body_encoding), Buffer.from(body as string), type);
    }
    await worksStill();
  });

  test("floods of headers and queries, and encodings that are none, are blamed on their sender", async () => {
    const hook = await echo();
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`x-h-${n}`, "v"]));
    const flood = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`x-h-${n}`, "v".repeat(20)]));
    const rows: [Partial<RawRequest>, string, RegExp][] = [
      [{ headers: many }, "", /^20[02]$/],
      [{ headers: flood }, "", /^4(00|31)$/],
      [{ headers: { __proto__x: "1", ["__proto__"]: "p", constructor: "c" } }, "", /^20[02]$/],
      [{ headers: { "x-svc-env": "\xff\xfe", cookie: "a\xe9" } }, "", /^20[02]$/],
      [{ headers: { "content-encoding": "gzip" }, body: Buffer.from("no gzip") }, "", /^400$/],
      [{ headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(50 * MIB)) }, "", /^413$/],
      [{ headers: { "content-encoding": "gzip, gzip, gzip" } }, "", /^4\d\d$/],
      [{}, `?${"a=1&".repeat(2_000)}`, /^20[02]$/],
      [{}, `?${"a".repeat(60_000)}`, /^(20[02]|4\d\d)$/],
      [{}, "?%", /^20[02]$/],
      [{}, "?%zz=%ff&%C3=%C3%28&%ED%A0%80=%F8%88", /^20[02]$/],
      [{}, "?x-svc-env=%00&__proto__=1&__proto__=2", /^20[02]$/],
      [{}, "??&&==#x", /^(20[02]|4\d\d)$/],
    ];
    for (const [fields, query, expected] of rows) {
      const { status } = await raw(pathOf(hook) + query, fields);
      assert.match(String(status), expected, `${JSON.stringify(fields).slice(0, 80)} ${query.slice(0, 40)}`);
    }
    for (const { id } of await service.requests(hook)) {
      assert.equal((await service.call("GET", `/v1/webhooks/requests/${id}`)).status, 200);
    }
    await worksStill();
  });

  test("random bytes as any type of body get an outcome", async () => {
    const hook = await echo();
    const type = fc.constantFrom(
      "application/json",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=--",
      "text/plain; charset=shift_jis",
      "application/json; charset=latin1",
    );
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((text) => Buffer.from(text)),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(type, body, fc.webQueryParameters(), async (contentType, bytes, query) => {
        const answer = await raw(`${pathOf(hook)}?${encodeURI(query)}`, {
          headers: { "content-type": contentType },
          body: Buffer.from(bytes),
        });
        assert.ok(answer.status === 200 || answer.status === 202, `${answer.status} ${answer.body}`);
      }),
      { numRuns: 150 },
    );
    await worksStill();
  });

  test("what a hostile transform returns or does is its own failure", async () => {
    const rows = [
      "while (true) {}",
      "const a = []; for (;;) a.push(new Array(100000).fill(1))",
      "return new Proxy({}, { get() { throw 1 } })",
      "const a = {}; a.a = a; return a",
      "return JSON.parse('['.repeat(150) + ']'.repeat(150))",
      "return Array.from({length: 6000}, () => ({name: 'a/b', data: {}}))",
      "return {name: 'a/b', data: {x: 'y'.repeat(3 * 1024 * 1024)}}",
      "Object.prototype.name = 'x/y'; return {data: {}}",
      "throw { get message() { return 'x'.repeat(1e7) } }",
      "return new Promise(() => {})",
      "return process.exit(1)",
      "return {name: 'x'.repeat(100000), data: {}}",
      "for (let i = 0; i < 1e5; i++) console.log('x'.repeat(1000)); throw new Error('logged')",
    ];
    await healthy(async () => {
      for (const returns of rows) {
        const hook = await service.create(returns);
        const { status, body } = await service.send(hook.url, {});
        assert.deepEqual([status, body.code], [202, "transform_failed"], returns);
        const text = JSON.stringify(await service.newest(hook));
        assert.ok(text.length < 200_000, `${returns}: ${text.length} bytes are kept`);
        assert.doesNotMatch(text, /node:internal|\/packages\//);
      }
    });
    await worksStill();
  });

  test("replays of one request at once are one outcome each, and never a fault", async () => {
    const hook = await service.create("return {name: 'raced/event', id: 'raced', data: {}}");
    await service.send(hook.url, {});
    const [{ id }] = await service.requests(hook);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0
          ? service.call("POST", `/v1/webhooks/requests/${id}/replay`)
          : service.call("POST", `/v1/webhooks/requests/${id}/route`, { environment: "dev" }),
      ),
    );
    for (const [n, { status }] of answers.entries())
      assert.ok(n % 2 === 0 ? [200, 409].includes(status) : status === 409, `${n}: ${status}`);
    assert.ok(answers.some(({ status }) => status === 200));
    assert.equal((await service.eventsNamed("raced/event")).length, 1);
  });

  test("thousands of requests at once to a transform that spins: 202 or 503, and others go on", async (t) => {
    const spins = await service.create("while (true) {}");
    const other = await service.create("return {name: 'other/event', data: {}}");
    await service.send(other.url, {});
    const before = await service.memory();
    const tally: Record<string, number> = {};
    await healthy(async () => {
      const body = JSON.stringify({ text: "x".repeat(2_000) });
      const flood = Promise.all(
        Array.from({ length: 3_000 }, async () => {
          const { status, body: answer } = await service.send(spins.url, body);
          const label = `${status} ${answer.code}`;
          tally[label] = (tally[label] ?? 0) + 1;
        }),
      );
      const others = [];
      for (let n = 0; n < 10; n++) others.push((await service.send(other.url, {})).status);
      await flood;
      assert.ok(
        others.every((status) => status === 200),
        String(others),
      );
    });
    t.diagnostic(JSON.stringify(tally));
    for (const label of Object.keys(tally))
      assert.match(label, /^(202 (transform_failed|pending)|503 unavailable)$/);
    const growth = (await service.memory()) - before;
    t.diagnostic(`${Math.round(growth / MIB)} MiB more`);
    assert.ok(growth < MAX_GROWTH, `${Math.round(growth / MIB)} MiB more than before`);
    await worksStill();
  });
});
