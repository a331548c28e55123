import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT_LIMITS } from "@svc/protocol";
import { refused } from "../../test/refused.ts";
import { type EventRules, type IncomingEvent, validateEvent } from "./validate.ts";

const NOW = 1_900_000_000_000;

/** An event from the JSON text of one. */
function parse(text: string): IncomingEvent {
  return validateEvent(JSON.parse(text), 0, { now: NOW });
}

/** One event with `fields` over a valid one. */
function one(fields: Record<string, unknown>, options: Partial<EventRules> = {}): IncomingEvent {
  return validateEvent({ name: "shop/order.placed", data: {}, ...fields }, 0, { now: NOW, ...options });
}

const invalid = (field: string, index = 0) => ({ code: "invalid_event", index, field });

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
  const event = parse(`{"name":"a","__proto__":{"id":"inherited"},"data":${data}}`);
  assert.equal(event.data, data);
  assert.equal(event.idempotencyId, null);
  assert.equal(({} as { x?: number }).x, undefined);
});

test("data may nest as deep as the limit, and no deeper", () => {
  const nested = (levels: number, open: string, close: string) =>
    `{"name":"a","data":{"x":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}}`;
  assert.doesNotThrow(() => parse(nested(EVENT_LIMITS.depth, "[", "]")));
  assert.doesNotThrow(() => parse(nested(EVENT_LIMITS.depth, '{"y":', "}")));
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
