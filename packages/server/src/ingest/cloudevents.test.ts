import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { refused } from "../../test/refused.ts";
import { isBinaryCloudEvent, parseBinaryCloudEvent } from "./binary-cloudevent.ts";
import { type IncomingEvent, parseEvents } from "./parse.ts";
import { parseRfc3339 } from "./rfc3339.ts";

const NOW = 1_900_000_000_000;
const MINIMAL = { specversion: "1.0", type: "shop.order.placed", source: "/shop", id: "7" };

function parse(body: unknown, contentType = "application/cloudevents+json"): IncomingEvent[] {
  return parseEvents(Buffer.from(JSON.stringify(body)), contentType, { now: NOW });
}

function one(fields: Record<string, unknown> = {}): IncomingEvent {
  return parse({ ...MINIMAL, ...fields })[0]!;
}

function binary(headers: Record<string, string>, body: string | Uint8Array = ""): IncomingEvent {
  const all = { "ce-specversion": "1.0", "ce-type": "a.b", "ce-source": "/s", "ce-id": "7", ...headers };
  return parseBinaryCloudEvent(all, Buffer.from(body), { now: NOW })[0]!;
}

test("a CloudEvent becomes an event, and every attribute is kept", () => {
  const attributes = {
    ...MINIMAL,
    time: "2030-01-01T00:00:00Z",
    datacontenttype: "application/json",
    tenant: "t1",
  };
  assert.deepEqual(
    parse({ ...attributes, data: { total: 5 } }, "application/cloudevents+json; charset=UTF-8"),
    [
      {
        name: "shop.order.placed",
        data: '{"total":5}',
        ts: 1_893_456_000_000,
        idempotencyId: "/shop#7",
        extra: JSON.stringify({ cloudevent: attributes }),
      },
    ],
  );
});

test("a CloudEvent without time or data has the time of receipt and empty data", () => {
  for (const fields of [{}, { time: null, data_base64: null }]) {
    const event = one(fields);
    assert.equal(event.ts, NOW);
    assert.equal(event.data, "{}");
  }
});

test("data that is no object is wrapped", () => {
  for (const data of [null, 5, "x", false, [1]])
    assert.equal(one({ data }).data, JSON.stringify({ value: data }));
});

test("binary data stays base64 and is marked as such", () => {
  const event = one({ data_base64: "aGk=" });
  assert.equal(event.data, '{"value":"aGk="}');
  assert.deepEqual(JSON.parse(event.extra!), { cloudevent: { ...MINIMAL, datacontentencoding: "base64" } });
  for (const fields of [{ data_base64: 5 }, { data_base64: "ä" }, { data: {}, data_base64: "" }]) {
    assert.deepEqual(
      refused(() => one(fields)),
      { code: "invalid_event", index: 0, field: "data_base64" },
    );
  }
});

test("a source and id too long for a deduplication id are hashed", () => {
  assert.equal(one({ source: `/${"s".repeat(253)}`, id: "7" }).idempotencyId!.length, 256);
  const source = `/${"s".repeat(254)}`;
  const expected = createHash("sha256").update(`${source}#7`).digest("hex");
  assert.equal(one({ source, id: "7" }).idempotencyId, expected);
});

test("a bad attribute is refused by its name", () => {
  const bad: [string, unknown[]][] = [
    ["specversion", [undefined, null, "0.3", "1.1", 1, "1"]],
    ["type", [undefined, null, "", " ", 5, "a\nb", "x".repeat(257), "svc/x", "inngest/x"]],
    ["source", [undefined, null, "", 5, {}, "a\0", "\ud800"]],
    ["id", [undefined, null, "", 5, {}, "a\0", "\ud800"]],
    [
      "time",
      [
        "",
        "yesterday",
        5,
        {},
        "2030-01-01",
        "2030-02-30T00:00:00Z",
        "1969-12-31T00:00:00Z",
        "2099-01-01T00:00:00Z",
      ],
    ],
  ];
  for (const [field, values] of bad) {
    for (const value of values) {
      const error = refused(() => one({ [field]: value }));
      assert.deepEqual(
        error,
        { code: "invalid_event", index: 0, field },
        `${field}: ${JSON.stringify(value)}`,
      );
    }
  }
});

test("deep data and deep attributes are refused", () => {
  const deep = JSON.parse("[".repeat(1_000) + "]".repeat(1_000));
  assert.equal(refused(() => one({ data: deep })).field, "data");
  assert.equal(refused(() => one({ ext: deep })).field, "cloudevent");
});

test("a batch is an array of CloudEvents, a single one is not", () => {
  const batch = "application/cloudevents-batch+json";
  assert.deepEqual(
    parse([MINIMAL, { ...MINIMAL, id: "8" }], batch).map((event) => event.idempotencyId),
    ["/shop#7", "/shop#8"],
  );
  assert.deepEqual(
    refused(() => parse([MINIMAL, { ...MINIMAL, id: "" }], batch)),
    {
      code: "invalid_event",
      index: 1,
      field: "id",
    },
  );
  assert.deepEqual(
    refused(() => parse([MINIMAL, 5], batch)),
    { code: "invalid_event", index: 1 },
  );
  assert.deepEqual(
    refused(() => parse([], batch)),
    { code: "invalid_event" },
  );
  assert.deepEqual(
    refused(() => parse(MINIMAL, batch)),
    { code: "invalid_event" },
  );
  assert.deepEqual(
    refused(() => parse([MINIMAL])),
    { code: "invalid_event" },
  );
});

test("an attribute called __proto__ is an attribute like any other", () => {
  const text = `{"specversion":"1.0","type":"a","source":"s","id":"1","__proto__":"x"}`;
  const [event] = parseEvents(Buffer.from(text), "application/cloudevents+json", { now: NOW });
  assert.equal(event!.extra, `{"cloudevent":${text}}`);
  assert.match(binary({ "ce-__proto__": "x" }).extra!, /"__proto__":"x"/);
});

test("binary mode takes attributes from headers and data from the body", () => {
  const event = binary(
    {
      "ce-time": "2030-01-01T00:00:00Z",
      "ce-tenant": "t%C3%BC 100% %20",
      "content-type": "application/json",
      host: "x",
    },
    '{"a":1}',
  );
  assert.equal(event.name, "a.b");
  assert.equal(event.data, '{"a":1}');
  assert.equal(event.ts, 1_893_456_000_000);
  assert.equal(event.idempotencyId, "/s#7");
  assert.deepEqual(JSON.parse(event.extra!).cloudevent, {
    specversion: "1.0",
    type: "a.b",
    source: "/s",
    id: "7",
    time: "2030-01-01T00:00:00Z",
    tenant: "tü 100%  ",
    datacontenttype: "application/json",
  });
});

test("a binary-mode body is read by its content type", () => {
  const cases: [string | undefined, string | Uint8Array, unknown][] = [
    [undefined, "", {}],
    [undefined, '{"a":1}', { a: 1 }],
    ["application/vnd.shop+json; v=1", "[1]", { value: [1] }],
    ["text/plain", "hé", { value: "hé" }],
    ["text/plain; charset=latin1", Uint8Array.of(0xe9), { value: "6Q==" }],
    ["application/octet-stream", Uint8Array.of(0, 255), { value: "AP8=" }],
  ];
  for (const [type, body, data] of cases) {
    assert.deepEqual(JSON.parse(binary(type === undefined ? {} : { "content-type": type }, body).data), data);
  }
  assert.deepEqual(
    refused(() => binary({}, "{")),
    { code: "invalid_json" },
  );
});

test("a quoted header is unquoted, one with broken UTF-8 refused", () => {
  assert.equal(binary({ "ce-id": '"a \\"b\\""' }).idempotencyId, '/s#a "b"');
  assert.equal(refused(() => binary({ "ce-id": "%C0%A0" })).field, "id");
});

test("headers count only when the body is not a CloudEvent itself", () => {
  assert.equal(isBinaryCloudEvent({ "ce-specversion": "1.0", "content-type": "application/json" }), true);
  assert.equal(isBinaryCloudEvent({ "ce-specversion": "1.0" }), true);
  assert.equal(isBinaryCloudEvent({ "content-type": "application/json" }), false);
  assert.equal(
    isBinaryCloudEvent({ "ce-specversion": "1.0", "content-type": "application/cloudevents+json" }),
    false,
  );
});

test("RFC 3339 times are read strictly", () => {
  const cases: [string, number | undefined][] = [
    ["1970-01-01T00:00:00Z", 0],
    ["2030-01-01t01:00:00.5+01:00", 1_893_456_000_500],
    ["2029-12-31 19:00:00.123456789-05:00", 1_893_456_000_123],
    ["2024-02-29T00:00:00z", 1_709_164_800_000],
    ["2016-12-31T23:59:60Z", 1_483_228_800_000],
    ["2023-02-29T00:00:00Z", undefined],
    ["2030-13-01T00:00:00Z", undefined],
    ["2030-01-01T24:00:00Z", undefined],
    ["2030-01-01T00:60:00Z", undefined],
    ["2030-01-01T00:00:00", undefined],
    ["2030-01-01T00:00:00+25:00", undefined],
    ["2030-01-01T00:00Z", undefined],
    ["20300101T000000Z", undefined],
    ["Tue, 01 Jan 2030 00:00:00 GMT", undefined],
  ];
  for (const [text, expected] of cases) assert.equal(parseRfc3339(text), expected, text);
});
