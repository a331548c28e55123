import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EVENT_LIMITS } from "@svc/protocol";
import { ServiceError } from "../errors.ts";
import { parseEvents } from "./parse.ts";

const NOW = 1_700_000_000_000;
const YEAR = 365 * 86_400_000;

const parse = (body: string | Uint8Array, contentType?: string) =>
  parseEvents(typeof body === "string" ? Buffer.from(body) : body, contentType, { now: NOW });
const one = (event: unknown) => parse(JSON.stringify(event))[0]!;
const refusal = (act: () => unknown): ServiceError => {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error;
  }
  throw new Error("nothing was refused");
};
const refusedField = (event: unknown) => {
  const { code, detail } = refusal(() => one(event));
  assert.equal(code, "invalid_event");
  assert.equal(detail.index, 0);
  return detail.field;
};

describe("an event", () => {
  test("needs a name and data; the rest has defaults", () => {
    assert.deepEqual(one({ name: "a/b", data: { x: 1 }, anything: "ignored" }), {
      name: "a/b",
      data: '{"x":1}',
      ts: NOW,
      idempotencyId: null,
      extra: null,
    });
  });

  test("is refused with the field named when its name breaks a rule", () => {
    for (const name of [undefined, null, 1, {}, "", "   ", "a\nb", "a\u0000b", "\ud800", "é".repeat(129)]) {
      assert.equal(refusedField({ name, data: {} }), "name", JSON.stringify(name));
    }
    assert.equal(one({ name: `  ${"é".repeat(128)} `, data: {} }).name.length, 128);
  });

  test("may not take a name that belongs to the service", () => {
    for (const name of ["svc/function.failed", "inngest/x"])
      assert.equal(refusedField({ name, data: {} }), "name");
    const body = Buffer.from('{"name":"svc/x","data":{}}');
    assert.equal(parseEvents(body, undefined, { now: NOW, allowReserved: true }).length, 1);
  });

  test("is refused when its data is no object", () => {
    for (const data of [undefined, null, [], "x", 1, true]) {
      assert.equal(refusedField({ name: "a/b", data }), "data", JSON.stringify(data));
    }
  });

  test("keeps __proto__ keys, escapes and unicode of its data as they are", () => {
    const data = '{"__proto__":{"polluted":true},"constructor":1,"text":"\\u0000 \\ud800 🎉"}';
    const [event] = parse(`{"name":"a/b","data":${data}}`);
    assert.deepEqual(JSON.parse(event!.data), JSON.parse(data));
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });

  test("may be nested to a bound and no deeper, however hostile", () => {
    const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
    assert.ok(one({ name: "a/b", data: nested(EVENT_LIMITS.depth) }));
    assert.equal(refusedField({ name: "a/b", data: nested(EVENT_LIMITS.depth + 1) }), "data");
    const bombs = [
      "[".repeat(500_000),
      `{"name":"a/b","data":{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`,
      `{"name":"a/b","data":{},"user":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`,
    ];
    for (const bomb of bombs) assert.equal(refusal(() => parse(bomb)).status, 400);
  });

  test("has an id of 1 to 256 bytes; empty and null count as absent", () => {
    assert.equal(one({ name: "a/b", data: {}, id: "x" }).idempotencyId, "x");
    for (const id of [null, ""]) assert.equal(one({ name: "a/b", data: {}, id }).idempotencyId, null);
    for (const id of [1, {}, [], true, "x".repeat(257), "a\u0000", "\udfff"]) {
      assert.equal(refusedField({ name: "a/b", data: {}, id }), "id");
    }
  });

  test("has a timestamp in milliseconds; absent, null and 0 mean now", () => {
    for (const ts of [undefined, null, 0]) assert.equal(one({ name: "a/b", data: {}, ts }).ts, NOW);
    assert.equal(one({ name: "a/b", data: {}, ts: NOW + YEAR }).ts, NOW + YEAR);
    assert.equal(one({ name: "a/b", data: {}, ts: 12.7 }).ts, 12);
    for (const ts of [NOW + YEAR + 1, -1, "1700000000000", {}, true]) {
      assert.equal(refusedField({ name: "a/b", data: {}, ts }), "ts");
    }
    assert.equal(refusal(() => parse('{"name":"a/b","data":{},"ts":1e999}')).detail.field, "ts");
  });

  test("keeps user and v as sent", () => {
    assert.equal(one({ name: "a/b", data: {}, user: { id: 1 }, v: "2" }).extra, '{"user":{"id":1},"v":"2"}');
    assert.equal(one({ name: "a/b", data: {}, user: null, v: null, cloudevent: { a: 1 } }).extra, null);
    assert.equal(refusedField({ name: "a/b", data: {}, user: "me" }), "user");
    assert.equal(refusedField({ name: "a/b", data: {}, v: 2 }), "v");
  });
});

describe("a request", () => {
  test("may hold many events, kept in order", () => {
    const events = parse(JSON.stringify([1, 2, 3].map((n) => ({ name: "a/b", data: { n } }))));
    assert.deepEqual(
      events.map(({ data }) => data),
      ['{"n":1}', '{"n":2}', '{"n":3}'],
    );
  });

  test("is refused whole for one bad event, and says which", () => {
    const { detail } = refusal(() => parse('[{"name":"a/b","data":{}},{"name":"a/b"}]'));
    assert.deepEqual([detail.index, detail.field], [1, "data"]);
    assert.equal(refusal(() => parse('[{"name":"a/b","data":{}},7]')).detail.index, 1);
  });

  test("must hold an event", () => {
    assert.equal(refusal(() => parse("[]")).code, "invalid_event");
    for (const body of ["", "  ", "{", "nope", '{"name":"a/b",}']) {
      assert.equal(refusal(() => parse(body)).code, "invalid_json", body);
    }
    for (const body of ["null", "1", '"x"', "true"])
      assert.equal(refusal(() => parse(body)).code, "invalid_event");
  });

  test("may hold 5,000 events and no more", () => {
    const list = (n: number) => JSON.stringify(Array.from({ length: n }, () => ({ name: "a", data: {} })));
    assert.equal(parse(list(5_000)).length, 5_000);
    assert.equal(refusal(() => parse(list(5_001))).code, "payload_too_large");
  });

  test("must be UTF-8; a byte order mark is passed over", () => {
    assert.equal(refusal(() => parse(Buffer.from([0x22, 0xff, 0x22]))).code, "invalid_json");
    assert.equal(parse('\ufeff{"name":"a/b","data":{}}').length, 1);
  });

  test("does not have its content quoted back in errors", () => {
    const { message } = refusal(() => parse('{"name":"a/b","data":{"secret":"hunter2"'));
    assert.doesNotMatch(message, /hunter2/);
  });

  test("of any other content type is read as JSON", () => {
    for (const type of [undefined, "text/plain", "application/json; charset=utf-8", "nonsense"]) {
      assert.equal(parse('{"name":"a/b","data":{}}', type).length, 1);
    }
  });

  test("of NDJSON holds an event a line, and errors name the line", () => {
    const type = "application/x-ndjson; charset=utf-8";
    assert.equal(parse('{"name":"a","data":{}}\n\r\n{"name":"b","data":{}}\n', type).length, 2);
    const { code, detail } = refusal(() => parse('{"name":"a","data":{}}\n\n{', type));
    assert.deepEqual([code, detail.index, detail.line], ["invalid_json", 1, 3]);
    assert.equal(refusal(() => parse("\n\n", type)).code, "invalid_event");
  });
});

describe("a CloudEvent", () => {
  const TYPE = "application/cloudevents+json";
  const base = { specversion: "1.0", id: "7", source: "/shop", type: "com.shop.order" };
  const cloud = (event: unknown, type = TYPE) => parse(JSON.stringify(event), type);

  test("becomes an event with all its attributes kept", () => {
    const time = "2023-11-14T22:13:20.5+00:00";
    const [event] = cloud({ ...base, time, subject: "s", myext: 1, data: { x: 1 } });
    assert.deepEqual(
      [event!.name, event!.idempotencyId, event!.ts, event!.data],
      ["com.shop.order", "/shop#7", NOW + 500, '{"x":1}'],
    );
    assert.deepEqual(JSON.parse(event!.extra!).cloudevent, { ...base, time, subject: "s", myext: 1 });
  });

  test("whose data is no object has it as value", () => {
    assert.equal(cloud({ ...base, data: [1] })[0]!.data, '{"value":[1]}');
    assert.equal(cloud({ ...base, data_base64: "AAE=" })[0]!.data, '{"value":"AAE="}');
    assert.equal(cloud(base)[0]!.data, "{}");
  });

  test("with a long source and id is deduplicated by their hash", () => {
    const [event] = cloud({ ...base, source: "s".repeat(300) });
    assert.match(event!.idempotencyId!, /^[0-9a-f]{64}$/);
  });

  test("comes in batches too", () => {
    const type = "application/cloudevents-batch+json";
    assert.equal(cloud([base, { ...base, id: "8" }], type).length, 2);
    assert.equal(refusal(() => cloud(base, type)).code, "invalid_event");
    assert.deepEqual(refusal(() => cloud([base, { ...base, type: 1 }], type)).detail, {
      index: 1,
      field: "type",
    });
  });

  test("is refused with the attribute named", () => {
    for (const [field, value] of Object.entries({
      specversion: "0.3",
      id: "",
      source: null,
      time: "yesterday",
    })) {
      assert.equal(refusal(() => cloud({ ...base, [field]: value })).detail.field, field);
    }
  });
});
