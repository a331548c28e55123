import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT_LIMITS } from "@svc/protocol";
import fc from "fast-check";
import { refused } from "../../test/refused.ts";
import { ServiceError } from "../errors.ts";
import { parseEvents } from "../ingest/parse.ts";
import { eventsOfResult } from "./event-result.ts";

const NOW = 1_900_000_000_000;
const read = (json: string) => eventsOfResult(json, { now: NOW });

test("one event or an array of them is taken, with the time of receipt where they have none", () => {
  const event = { name: "a/b", data: '{"x":1}', ts: NOW, idempotencyId: null, extra: null };
  assert.deepEqual(read('{"name":"a/b","data":{"x":1}}'), [event]);
  assert.deepEqual(read('[{"name":"a/b","data":{"x":1}},{"name":"c","data":{},"ts":5,"id":"i","v":"1"}]'), [
    event,
    { name: "c", data: "{}", ts: 5, idempotencyId: "i", extra: '{"v":"1"}' },
  ]);
});

test("null and an empty array are no events", () => {
  for (const json of ["null", "[]", " [ ] "]) assert.deepEqual(read(json), []);
});

test("a result that is no event is refused, saying what a transform must return", () => {
  for (const json of ['"x"', "5", "true", "1e999"]) {
    assert.deepEqual(
      refused(() => read(json), /must return an event object, an array of them or null, not a /),
      { code: "invalid_event" },
    );
  }
  for (const json of ["", "undefined", "{"]) {
    assert.deepEqual(
      refused(() => read(json), /^The result of the transform is/),
      { code: "invalid_event" },
    );
  }
});

test("one bad event refuses them all, with its index and field", () => {
  const good = '{"name":"a","data":{}}';
  const cases: [string, Record<string, unknown>][] = [
    [`[${good},{"name":"","data":{}}]`, { index: 1, field: "name" }],
    [`[${good},${good},{"name":"a"}]`, { index: 2, field: "data" }],
    [`[${good},null]`, { index: 1 }],
    [`[[${good}]]`, { index: 0 }],
    ['{"name":"svc/x","data":{}}', { index: 0, field: "name" }],
    ['{"name":"a","data":{"x":1e999}}', { index: 0, field: "data.x" }],
    ['{"name":"a","data":{},"ts":"now"}', { index: 0, field: "ts" }],
  ];
  for (const [json, detail] of cases) {
    assert.deepEqual(
      refused(() => read(json)),
      { code: "invalid_event", ...detail },
      json,
    );
  }
});

test("a result is bounded in events, bytes and depth", () => {
  const events = (count: number) => `[${new Array(count).fill('{"name":"a","data":{}}').join()}]`;
  const limit = EVENT_LIMITS.eventsPerRequest;
  assert.equal(read(events(limit)).length, limit);
  assert.deepEqual(
    refused(() => read(events(limit + 1))),
    { code: "invalid_event", limit },
  );

  const bytes = '{"name":"é","data":{}}';
  const maxBytes = Buffer.byteLength(bytes);
  assert.equal(eventsOfResult(bytes, { now: NOW, maxBytes }).length, 1);
  assert.deepEqual(
    refused(() => eventsOfResult(bytes, { now: NOW, maxBytes: maxBytes - 1 })),
    { code: "invalid_event", limit: maxBytes - 1 },
  );
  assert.equal(
    refused(() => read(`"${"x".repeat(EVENT_LIMITS.requestBytes)}"`)).limit,
    EVENT_LIMITS.requestBytes,
  );
  assert.deepEqual(
    refused(() => read(`{"name":"a","data":{"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`)),
    { code: "invalid_event", index: 0, field: "data", limit: EVENT_LIMITS.depth },
  );
});

/** Mostly what is fine, so that whole events are. */
const mostly = <T, U>(fine: fc.Arbitrary<T>, other: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 9, arbitrary: fine }, { weight: 1, arbitrary: other });
const object = fc.dictionary(fc.string(), fc.jsonValue());
const event = fc.record(
  {
    name: mostly(fc.constantFrom("a/b", " c "), fc.constantFrom("svc/x", "", "x\n", "y".repeat(257), 5)),
    data: mostly(object, fc.jsonValue()),
    id: mostly(fc.string(), fc.constantFrom(null, 5)),
    ts: mostly(fc.constantFrom(null, 0, NOW, 5.5), fc.oneof(fc.constantFrom(NOW * 2, -1, "x"), fc.double())),
    user: mostly(object, fc.constantFrom(null, 1)),
    v: mostly(fc.constantFrom("1", null), fc.constantFrom(2, "x".repeat(65))),
  },
  { requiredKeys: ["name", "data"] },
);

/** What a reading gives, refusals too. */
function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error.toJSON();
  }
}

test("what a sender may send, a transform may return, and with the same outcome", () => {
  let taken = 0;
  const result = fc.oneof(
    event,
    fc.array(fc.oneof({ weight: 9, arbitrary: event }, fc.jsonValue()), { minLength: 1, maxLength: 3 }),
  );
  fc.assert(
    fc.property(result, (value) => {
      const json = JSON.stringify(value);
      const sent = outcome(() => parseEvents(Buffer.from(json), "application/json", { now: NOW }));
      assert.deepEqual(
        outcome(() => read(json)),
        sent,
      );
      if (Array.isArray(sent)) taken += 1;
    }),
    { numRuns: 1_000 },
  );
  assert.ok(taken > 100, `only ${taken} results were events`);
});
