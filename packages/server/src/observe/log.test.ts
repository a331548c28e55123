import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createLogger, type LogOptions, useColors, withFields } from "./log.ts";
import { isSecretName, plainFields } from "./log-fields.ts";

const NOON = new Date(2030, 0, 2, 12, 30, 0, 123).getTime();

function capture(options: LogOptions = {}) {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text), writableLength: 0 };
  const logger = createLogger({ stream, now: () => NOON, ...options });
  return { lines, stream, logger, last: () => JSON.parse(lines.at(-1)!) };
}

test("a line that is not for a terminal is one JSON object with an ISO time", () => {
  const { logger, lines, last } = capture();
  logger.info("event accepted", { name: "shop/order.placed", count: 3 });
  assert.equal(lines[0]!.endsWith("\n"), true);
  assert.deepEqual(last(), {
    time: new Date(NOON).toISOString(),
    level: "info",
    msg: "event accepted",
    name: "shop/order.placed",
    count: 3,
  });
});

test("a field cannot pretend to be the line's level, time or message", () => {
  const { logger, last } = capture();
  logger.error("real", { level: "info", msg: "fake", time: 0 });
  assert.deepEqual([last().level, last().msg], ["error", "real"]);
});

test("lines below the level are not written", () => {
  const { logger, lines } = capture({ level: "warn" });
  logger.debug("a");
  logger.info("b");
  logger.warn("c");
  logger.error("d");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ["c", "d"],
  );
  const silent = capture({ level: "silent" });
  silent.logger.error("e");
  assert.deepEqual(silent.lines, []);
});

test("a pretty line has time, glyph, message and fields, and the stack below it", () => {
  const { logger, lines } = capture({ format: "pretty", colors: false });
  logger.info("app synced", { app: "shop", functions: 3, note: "two words" });
  assert.equal(lines[0], '12:30:00.123 ● app synced  app=shop functions=3 note="two words"\n');
  logger.error("failed", { error: new TypeError("no such thing") });
  assert.match(lines[1]!, /^12:30:00\.123 ✖ failed {2}error="no such thing"\n {4}at .*log\.test\.ts/);
});

test("what others sent cannot add lines or colours to a pretty log", () => {
  const { logger, lines } = capture({ format: "pretty", colors: false });
  logger.info("name\n12:00 ✖ faked \u001b[2J", { name: "a\nb\u001b[31m" });
  assert.equal(lines[0]!.match(/\n/g)!.length, 1);
  assert.equal(lines[0]!.includes("\u001b"), false);
});

test("C1 controls, line separators and turned text come out as escapes in a pretty log", () => {
  const { logger, lines } = capture({ format: "pretty", colors: false });
  const odd = "a\u009b31m\u2028b\u202ec";
  logger.info(odd, { name: odd, names: [odd], spaced: `${odd} d` });
  assert.doesNotMatch(lines[0]!, /[\u0080-\u009f\u2028\u202e]/);
  assert.equal(lines[0]!.match(/a\\u009b31m\\u2028b\\u202ec/g)!.length, 4);
});

test("colours are for terminals, and NO_COLOR turns them off", () => {
  assert.equal(useColors({ isTTY: true }, {}), true);
  assert.equal(useColors({ isTTY: true }, { NO_COLOR: "1" }), false);
  assert.equal(useColors({}, {}), false);
  const { logger, lines } = capture({ format: "pretty", colors: true });
  logger.warn("careful");
  assert.ok(lines[0]!.includes("\u001b["));
});

test("fields named like secrets are hidden at any depth; ids of keys are not", () => {
  const { logger, last } = capture();
  logger.info("request", {
    key: "a",
    eventKey: "b",
    key_id: "k1",
    signing: { x: 1 },
    nested: { headers: { Authorization: "Bearer x", "x-api-token": "t", accept: "*/*" } },
    metricsToken: null,
  });
  const line = last();
  assert.deepEqual(
    [line.key, line.eventKey, line.key_id, line.signing],
    ["[hidden]", "[hidden]", "k1", "[hidden]"],
  );
  assert.deepEqual(line.nested.headers, {
    Authorization: "[hidden]",
    "x-api-token": "[hidden]",
    accept: "*/*",
  });
  assert.equal(line.metricsToken, null);
  for (const name of ["secret", "signing_key", "signingKeys", "API_TOKEN", "cookie", "apikey"]) {
    assert.ok(isSecretName(name), name);
  }
  for (const name of ["monkey", "keyspace", "tokenizer", "function", "keys_total"]) {
    assert.ok(!isSecretName(name), name);
  }
});

test("our own keys are hidden wherever they stand in a text", () => {
  const { logger, last } = capture();
  logger.warn("POST /e/svc_evt_AAAABBBBCCCC", {
    url: "http://x/e/some-long-webhook-key?a=1",
    text: "used signkey-prod-0123456789abcdef today",
    error: new Error("bad token svc_api_0123456789"),
  });
  assert.doesNotMatch(JSON.stringify(last()), /AAAABBBB|some-long|01234567/);
  assert.equal(last().url, "http://x/e/[hidden]?a=1");
});

test("errors are written with name, code, stack and cause", () => {
  const { logger, last } = capture();
  const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED", port: 3000 });
  logger.error("call failed", { error: new Error("outer", { cause }) });
  assert.equal(last().error.message, "outer");
  assert.match(last().error.stack, /log\.test\.ts/);
  assert.deepEqual([last().error.cause.code, last().error.cause.port], ["ECONNREFUSED", 3000]);
});

test("cycles, BigInt, hostile getters and huge values neither throw nor grow the line without bound", () => {
  const { logger, lines, last } = capture();
  const cycle: Record<string, unknown> = { n: 1n, f() {}, bytes: new Uint8Array(9) };
  cycle.self = cycle;
  logger.info("odd", { cycle });
  assert.deepEqual(last().cycle, { n: "1", f: "[function f]", bytes: "[9 bytes]", self: "[circular]" });
  const hostile = Object.defineProperty({}, "x", {
    enumerable: true,
    get() {
      throw new Error("no");
    },
  });
  logger.info("hostile", hostile);
  assert.equal(lines.length, 1, "a line that cannot be made is left out");
  logger.info("x".repeat(1e6), { text: "y".repeat(1e6), many: Array.from({ length: 1e5 }, () => "z") });
  assert.ok(lines[1]!.length < 20_000);
});

test("any fields at all give one parseable line", () => {
  const { logger, lines } = capture();
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.string(), fc.anything()), (message, fields) => {
      lines.length = 0;
      logger.info(message, fields);
      assert.equal(lines.length, 1);
      JSON.parse(lines[0]!);
    }),
  );
});

test("a reader that stops costs lines, not memory, and hears how many", () => {
  const { logger, stream, lines } = capture();
  stream.writableLength = 5 * 1024 * 1024;
  logger.info("lost");
  logger.info("lost too");
  assert.deepEqual(lines, []);
  stream.writableLength = 0;
  logger.info("kept");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ msg, count }) => [msg, count]),
    [
      ["log lines dropped, their reader was too slow", 2],
      ["kept", undefined],
    ],
  );
});

test("a logger with fields adds them to every line", () => {
  const { logger, last } = capture();
  withFields(logger, { part: "registry", app: "a" }).info("synced", { app: "b" });
  assert.deepEqual([last().part, last().app], ["registry", "b"]);
});

test("making fields plain leaves the caller's object alone", () => {
  const fields = { token: "x", list: [{ secret: "y" }] };
  plainFields(fields);
  assert.deepEqual(fields, { token: "x", list: [{ secret: "y" }] });
});
