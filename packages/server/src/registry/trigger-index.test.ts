import assert from "node:assert/strict";
import { test } from "node:test";
import type { Trigger } from "@svc/protocol";
import fc from "fast-check";
import type { RegisteredFunction, TriggeringEvent } from "./registry.ts";
import { createTriggerIndex } from "./trigger-index.ts";

function listening(id: string, ...triggers: Trigger[]): RegisteredFunction {
  return {
    env: "dev",
    id,
    appId: "shop",
    name: id,
    url: `http://127.0.0.1:3000/api/svc?fnId=${id}`,
    dialect: "svc",
    maxAttempts: 5,
    paused: false,
    config: { id, triggers, steps: {} },
  };
}

function event(name: string, data: unknown = {}, extra: unknown = null): TriggeringEvent {
  return {
    id: "01",
    name,
    ts: 1_700_000_000_000,
    data: JSON.stringify(data),
    extra: extra === null ? null : JSON.stringify(extra),
  };
}

function matches(functions: RegisteredFunction[], given: TriggeringEvent): string[] {
  const index = createTriggerIndex();
  index.replace("dev", functions);
  return index.match("dev", given).map((fn) => fn.id);
}

test("an event triggers every function registered for its name, and no other", () => {
  const functions = [
    listening("a", { event: "shop/order" }),
    listening("b", { event: "shop/order" }),
    listening("c", { event: "shop/orders" }),
    listening("d", { cron: "0 0 * * *" }),
  ];
  assert.deepEqual(matches(functions, event("shop/order")), ["a", "b"]);
  assert.deepEqual(matches(functions, event("shop/other")), []);
});

test("a trigger that ends in a wildcard matches by what stands before it", () => {
  const functions = [
    listening("slash", { event: "shop/*" }),
    listening("dot", { event: "shop/order.*" }),
    listening("exact", { event: "shop/order.paid" }),
  ];
  assert.deepEqual(matches(functions, event("shop/order.paid")), ["exact", "slash", "dot"]);
  assert.deepEqual(matches(functions, event("shop/order")), ["slash"]);
  assert.deepEqual(matches(functions, event("shop")), []);
  assert.deepEqual(matches(functions, event("shopping/cart")), []);
});

test("a star that is not a wildcard at the end is an ordinary character", () => {
  const functions = [listening("star", { event: "*" }), listening("word", { event: "shop*" })];
  assert.deepEqual(matches(functions, event("shopping")), []);
  assert.deepEqual(matches(functions, event("*")), ["star"]);
});

test("a function with two triggers that match is triggered once", () => {
  const twice = listening("twice", { event: "shop/*" }, { event: "shop/order" }, { event: "shop/order" });
  assert.deepEqual(matches([twice], event("shop/order")), ["twice"]);
});

test("a second trigger still counts when the expression of the first does not hold", () => {
  const fn = listening(
    "f",
    { event: "shop/order", expression: "event.data.total > 100" },
    { event: "shop/order", expression: "event.data.vip == true" },
  );
  assert.deepEqual(matches([fn], event("shop/order", { total: 1, vip: true })), ["f"]);
  assert.deepEqual(matches([fn], event("shop/order", { total: 1, vip: false })), []);
});

test("an expression sees data, name, ts, id, user and v", () => {
  const expression =
    "event.data.a == 1 && event.name == 'n' && event.ts > 5 && event.id == '01' && event.user.id == 'u' && event.v == '2'";
  const given = event("n", { a: 1 }, { user: { id: "u" }, v: "2" });
  assert.deepEqual(matches([listening("f", { event: "n", expression })], given), ["f"]);
});

test("a field named constructor does not disturb the expressions of an event", () => {
  const data = { constructor: "ACME", lot: { constructor: "B", n: 2 } };
  const expression = "event.data.lot.n == 2 && event.data.constructor == 'ACME' && has(event.data.lot.n)";
  assert.deepEqual(matches([listening("f", { event: "n", expression })], event("n", data)), ["f"]);
});

test("the event's JSON is not parsed without an expression", () => {
  const broken = { ...event("shop/order"), data: "not JSON" };
  assert.deepEqual(matches([listening("a", { event: "shop/*" })], broken), ["a"]);
});

test("a stored expression that does not compile is reported and never matches", () => {
  const told: string[] = [];
  const index = createTriggerIndex((fn, error) => told.push(`${fn.id}: ${error.message}`));
  index.replace("dev", [listening("bad", { event: "n", expression: "event.data.a ==" })]);
  assert.deepEqual(index.match("dev", event("n")), []);
  assert.match(told[0]!, /^bad: The expression/);
});

test("environments do not see each other's functions, and a replacement takes the old ones away", () => {
  const index = createTriggerIndex();
  index.replace("dev", [listening("a", { event: "n" })]);
  assert.equal(index.match("production", event("n")).length, 0);
  index.replace("dev", [listening("b", { event: "n" })]);
  assert.deepEqual(
    index.match("dev", event("n")).map((fn) => fn.id),
    ["b"],
  );
});

test("the index finds what a look at every trigger finds", () => {
  const part = fc.constantFrom("a", "b", "/", ".", "*");
  const name = fc.string({ unit: part, minLength: 1, maxLength: 6 });
  const pattern = fc.oneof(
    name,
    name.map((text) => `${text}/*`),
    name.map((text) => `${text}.*`),
  );
  const naive = (fn: RegisteredFunction, eventName: string): boolean =>
    fn.config.triggers.some((trigger) => {
      if (!("event" in trigger)) return false;
      if (trigger.event === eventName) return true;
      return /[/.]\*$/.test(trigger.event) && eventName.startsWith(trigger.event.slice(0, -1));
    });
  fc.assert(
    fc.property(
      fc.array(fc.array(pattern, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
      name,
      (triggers, eventName) => {
        const functions = triggers.map((names, i) =>
          listening(`f${i}`, ...names.map((event) => ({ event }))),
        );
        const found = matches(functions, event(eventName));
        const expected = functions.filter((fn) => naive(fn, eventName)).map((fn) => fn.id);
        assert.deepEqual(found.sort(), expected.sort());
      },
    ),
    { numRuns: 500 },
  );
});

test("a match without expressions costs less than a microsecond", () => {
  const index = createTriggerIndex();
  const functions = Array.from({ length: 1_000 }, (_, i) => listening(`f${i}`, { event: `shop/event-${i}` }));
  index.replace("dev", functions);
  const known = event("shop/event-500");
  const unknown = event("shop/unknown");
  for (const given of [known, unknown]) {
    let best = Number.POSITIVE_INFINITY;
    // The best of many short rounds: other work on the machine only ever adds time.
    for (let round = 0; round < 50; round++) {
      const startedAt = performance.now();
      for (let i = 0; i < 2_000; i++) index.match("dev", given);
      best = Math.min(best, (performance.now() - startedAt) / 2);
    }
    assert.ok(best < 1, `${best} µs`);
  }
});
