import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT_LIMITS } from "@svc/protocol";
import { ServiceError } from "../errors.ts";
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

/** What a refusal says, its sentence left out unless it must match. */
function refused(run: () => unknown, sentence?: RegExp): Record<string, unknown> {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    if (sentence) assert.match(error.message, sentence);
    return { code: error.code, ...error.detail };
  }
  assert.fail("It was accepted.");
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

test("a name is trimmed and may take 256 bytes of UTF-8", () => {
  assert.equal(one({ name: " \n a/b\t" }).name, "a/b");
  assert.equal(one({ name: "x".repeat(256) }).name.length, 256);
  assert.equal(one({ name: "é".repeat(128) }).name.length, 128);
  assert.equal(one({ name: "wörld/ünïcode ✓ 😀" }).name, "wörld/ünïcode ✓ 😀");
});

test("a bad name is refused", () => {
  const bad = [
    undefined,
    null,
    5,
    {},
    [],
    true,
    "",
    "   ",
    "x".repeat(257),
    "é".repeat(129),
    "a\nb",
    "a\0b",
    "a\x7fb",
  ];
  for (const name of [...bad, "a\x85b", "a\ud800b", "\udc00"]) {
    assert.deepEqual(
      refused(() => one({ name })),
      invalid("name"),
      JSON.stringify(name),
    );
  }
});

test("names of the service are refused with the reason, unless they are allowed", () => {
  for (const name of ["svc/function.finished", "inngest/x", "  svc/x"]) {
    assert.deepEqual(
      refused(() => one({ name }), /reserved/),
      invalid("name"),
    );
    assert.equal(one({ name }, { allowReserved: true }).name, name.trim());
  }
  for (const name of ["svc", "svcs/x", "a/svc/x", "SVC/x"]) assert.equal(one({ name }).name, name);
});

test("data must be an object", () => {
  for (const data of [undefined, null, [], [{}], "x", 5, true]) {
    assert.deepEqual(
      refused(() => one({ data })),
      invalid("data"),
      JSON.stringify(data),
    );
  }
});

test("data is kept key by key, also awkward ones", () => {
  const data = '{"__proto__":{"x":1},"constructor":2,"toJSON":"no","":0,"a.b":"\\u0000\\ud800"}';
  const [event] = parse(`{"name":"a","__proto__":{"id":"inherited"},"data":${data}}`);
  assert.equal(event!.data, data);
  assert.equal(event!.idempotencyId, null);
  assert.equal(({} as { x?: number }).x, undefined);
});

test("data may nest as deep as the limit, and no deeper", () => {
  const nested = (levels: number, open: string, close: string) =>
    `{"name":"a","data":{"x":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}}`;
  assert.equal(parse(nested(EVENT_LIMITS.depth, "[", "]")).length, 1);
  assert.equal(parse(nested(EVENT_LIMITS.depth, '{"y":', "}")).length, 1);
  for (const levels of [EVENT_LIMITS.depth + 1, 80_000]) {
    for (const [open, close] of [
      ["[", "]"],
      ['{"y":', "}"],
    ] as const) {
      const error = refused(() => parse(nested(levels, open, close)), /levels/);
      assert.deepEqual(error, { ...invalid("data"), limit: EVENT_LIMITS.depth });
    }
  }
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

test("a number that JSON cannot write back is refused with its path", () => {
  const data = '{"a":[{"b":1},{"b":-1e999}]}';
  assert.deepEqual(
    refused(() => parse(`{"name":"a","data":${data}}`)),
    invalid("data.a.1.b"),
  );
  assert.deepEqual(
    refused(() => parse('{"name":"a","data":{},"user":{"x":1e309}}')),
    invalid("user.x"),
  );
});

test("an id of 1 to 256 bytes is kept as sent; empty and null are none", () => {
  for (const id of ["a", " a ", "x".repeat(256), "é".repeat(128), "tab\t"]) {
    assert.equal(one({ id }).idempotencyId, id);
  }
  for (const id of ["", null, undefined]) assert.equal(one({ id }).idempotencyId, null);
});

test("a bad id is refused", () => {
  for (const id of [5, 0, false, {}, ["a"], "x".repeat(257), "é".repeat(129), "a\0", "\ud800"]) {
    assert.deepEqual(
      refused(() => one({ id })),
      invalid("id"),
      JSON.stringify(id),
    );
  }
});

test("ts is a whole number of milliseconds, up to a year ahead", () => {
  const cases: [unknown, number][] = [
    [undefined, NOW],
    [null, NOW],
    [0, NOW],
    [-0, NOW],
    [0.3, NOW],
    [1, 1],
    [1.5, 2],
    [1_700_000_000_123.4, 1_700_000_000_123],
    [NOW + EVENT_LIMITS.futureMs, NOW + EVENT_LIMITS.futureMs],
  ];
  for (const [ts, expected] of cases) assert.equal(one({ ts }).ts, expected, String(ts));
});

test("a bad ts is refused", () => {
  for (const ts of ["5", "", true, {}, [], -1, -0.1, NOW + EVENT_LIMITS.futureMs + 1, 1e300]) {
    assert.deepEqual(
      refused(() => one({ ts })),
      invalid("ts"),
      JSON.stringify(ts),
    );
  }
  assert.deepEqual(
    refused(() => parse('{"name":"a","data":{},"ts":1e999}')),
    invalid("ts"),
  );
});

test("user is an object and v a short string; null is none", () => {
  assert.equal(one({ user: null, v: null }).extra, null);
  assert.equal(one({ v: "é".repeat(32) }).extra, JSON.stringify({ v: "é".repeat(32) }));
  assert.equal(one({ v: "" }).extra, '{"v":""}');
  for (const user of [[], "x", 5, true])
    assert.deepEqual(
      refused(() => one({ user })),
      invalid("user"),
    );
  for (const v of [[], {}, 5, true, "x".repeat(65)])
    assert.deepEqual(
      refused(() => one({ v })),
      invalid("v"),
    );
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
