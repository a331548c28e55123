import assert from "node:assert/strict";
import { test } from "node:test";
import { refused } from "../../test/refused.ts";
import { type IncomingEvent, type ParseOptions, parseEvents } from "./parse.ts";

const NOW = 1_900_000_000_000;

function parse(body: unknown, contentType?: string, options: Partial<ParseOptions> = {}): IncomingEvent[] {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return parseEvents(bytes, contentType, { now: NOW, ...options });
}

/** One event with `fields` over a valid one. */
function one(fields: Record<string, unknown>, options: Partial<ParseOptions> = {}): IncomingEvent {
  const events = parse({ name: "shop/order.placed", data: {}, ...fields }, "application/json", options);
  assert.equal(events.length, 1);
  return events[0]!;
}

const invalid = (field: string, index = 0) => ({ code: "invalid_event", index, field });

test("an event comes out with what was sent, defaults filled in", () => {
  assert.deepEqual(parse({ name: "a/b", data: { n: 1, s: "ü" } }), [
    { name: "a/b", data: '{"n":1,"s":"ü"}', ts: NOW, idempotencyId: null, extra: null },
  ]);
  assert.deepEqual(one({ id: "o-1", ts: 5, user: { id: 7 }, v: "2", other: [1], specversion: 3 }), {
    name: "shop/order.placed",
    data: "{}",
    ts: 5,
    idempotencyId: "o-1",
    extra: '{"user":{"id":7},"v":"2"}',
  });
});

test("an array gives its events in order", () => {
  const names = ["a", "b", "c"];
  assert.deepEqual(
    parse(names.map((name) => ({ name, data: {} }))).map((event) => event.name),
    names,
  );
});

test("hostile nesting is answered, not crashed on", () => {
  assert.equal(refused(() => parse("[".repeat(500_000))).code, "invalid_json");
  assert.equal(refused(() => parse('{"a":'.repeat(100_000))).code, "invalid_json");
  const array = "[".repeat(250_000) + "]".repeat(250_000);
  assert.deepEqual(
    refused(() => parse(array)),
    { code: "invalid_event", index: 0 },
  );
  // Below a field that is ignored anyway, depth does no harm.
  assert.equal(parse(`{"name":"a","data":{},"other":${array}}`).length, 1);
  assert.equal(refused(() => parse(`{"name":"a","data":{},"user":{"x":${array}}}`)).field, "user");
});

test("one bad event refuses the batch and says which", () => {
  const good = { name: "a", data: {} };
  assert.deepEqual(
    refused(() => parse([good, good, { name: "a", data: [] }])),
    invalid("data", 2),
  );
  for (const item of [null, 5, "x", [good], true]) {
    assert.deepEqual(
      refused(() => parse([good, item])),
      { code: "invalid_event", index: 1 },
    );
  }
});

test("a body without events is refused", () => {
  assert.deepEqual(
    refused(() => parse([])),
    { code: "invalid_event" },
  );
  for (const body of ["5", "null", '"x"', "true"]) {
    assert.deepEqual(
      refused(() => parse(body)),
      { code: "invalid_event" },
    );
  }
});

test("5,000 events pass, one more does not", () => {
  const events = Array.from({ length: 5_000 }, () => ({ name: "a", data: {} }));
  assert.equal(parse(events).length, 5_000);
  events.push({ name: "a", data: {} });
  assert.deepEqual(
    refused(() => parse(events)),
    { code: "payload_too_large", limit: 5_000 },
  );
  assert.deepEqual(refused(() => parse(events, "application/json", { maxEvents: 10 })).limit, 10);
  const lines = events.map((event) => JSON.stringify(event)).join("\n");
  assert.equal(refused(() => parse(lines, "application/x-ndjson")).code, "payload_too_large");
});

test("an unreadable body is invalid_json", () => {
  for (const body of ["", " \n", "{", "{}x", "name=a&data=b", "{'name':'a'}", "\ufeff", "NaN"]) {
    assert.deepEqual(
      refused(() => parse(body)),
      { code: "invalid_json" },
      body,
    );
  }
  for (const bytes of [
    [0xff],
    [0x22, 0xc3, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0xff, 0xfe, 0x7b, 0x00],
  ]) {
    assert.deepEqual(
      refused(() => parse(Uint8Array.from(bytes)), /UTF-8/),
      { code: "invalid_json" },
    );
  }
});

test("a leading byte order mark is skipped", () => {
  assert.equal(parse('\ufeff{"name":"é","data":{}}')[0]!.name, "é");
});

test("a body that is a view into a larger buffer is read within its bounds", () => {
  const bytes = new TextEncoder().encode('xx{"name":"a","data":{}}xx');
  assert.equal(parse(bytes.subarray(2, -2)).length, 1);
});

test("any other content type, or none, is read as JSON", () => {
  const types = [
    undefined,
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "Application/JSON; charset=utf-8",
    ";",
  ];
  for (const type of types) assert.equal(parse({ name: "a", data: {} }, type).length, 1);
});

test("NDJSON holds one event per line", () => {
  const body = '\ufeff{"name":"a","data":{}}\r\n\n  \n{"name":"é","data":{}}';
  for (const type of ["application/x-ndjson", "APPLICATION/X-NDJSON ; charset=utf-8"]) {
    assert.deepEqual(
      parse(body, type).map((event) => event.name),
      ["a", "é"],
    );
  }
});

test("a bad NDJSON line is named by line and by index", () => {
  const good = '{"name":"a","data":{}}';
  const fail = (body: string) => refused(() => parse(body, "application/x-ndjson"));
  assert.deepEqual(fail(`${good}\n\n{"name":"a"}\n`), { ...invalid("data", 1), line: 3 });
  assert.deepEqual(fail(`${good}\n{"name"`), { code: "invalid_json", index: 1, line: 2 });
  assert.deepEqual(fail(`[${good}]`), { code: "invalid_event", index: 0, line: 1 });
  assert.deepEqual(fail(" \n\n"), { code: "invalid_event" });
});
