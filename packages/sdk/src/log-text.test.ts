import assert from "node:assert/strict";
import { test } from "node:test";
import { logText } from "./log-text.ts";

const text = (...values: unknown[]) => logText(values, 4_000);

test("texts stand as they are, objects as compact JSON, other values as console shows them", () => {
  assert.equal(text("paid %s", { orderId: "42", lines: [1, 2] }), 'paid %s {"orderId":"42","lines":[1,2]}');
  assert.equal(text(1, true, null, undefined, 12n), "1 true null undefined 12n");
  assert.equal(
    text(Symbol("s"), function named() {}),
    "Symbol(s) [function named]",
  );
  assert.equal(text(new Date(0)), '"1970-01-01T00:00:00.000Z"');
  assert.equal(text({ a: undefined, f() {}, n: Number.NaN, big: 3n }), '{"n":NaN,"big":"3n"}');
  assert.equal(text(), "");
});

test("an error shows its stack and its causes, and one inside an object what it says", () => {
  const error = new TypeError("no card", { cause: new Error("declined", { cause: { code: 5 } }) });
  const shown = text("failed:", error);
  assert.match(
    shown,
    /^failed: TypeError: no card\n {4}at .*\n\[cause\]: Error: declined\n.*\n\[cause\]: \{"code":5\}$/s,
  );
  assert.equal(text({ err: new RangeError("far") }), '{"err":"RangeError: far"}');
  const bare = new Error("bare");
  bare.stack = undefined as never;
  assert.equal(text(bare), "Error: bare");
});

test("values that play tricks are shown as far as they can be read, and never throw", () => {
  const circle: Record<string, unknown> = { name: "a" };
  circle.self = circle;
  assert.equal(text(circle), '{"name":"a","self":"[circular]"}');
  const shared = { n: 1 };
  assert.equal(text([shared, shared]), '[{"n":1},{"n":1}]');
  const getter = {
    ok: 1,
    get bad(): never {
      throw new Error("no");
    },
    last: 2,
  };
  assert.equal(text(getter), '{"ok":1,"bad":"[unreadable]","last":2}');
  const json = {
    toJSON() {
      throw new Error("no");
    },
  };
  assert.equal(text({ json, n: 1 }), '{"json":"[unreadable]","n":1}');
  const endless = { toJSON: () => ({ endless }) };
  assert.match(text(endless), /"\[object\]"\}+$/);
  const traps = new Proxy({}, { getPrototypeOf: () => assert.fail(), get: () => assert.fail() });
  assert.equal(text("before", traps, "after"), "before [unreadable] after");
  assert.equal(text({ traps, n: 1 }), '{"traps":"[unreadable]","n":1}');
  const nameless = Object.defineProperty(() => {}, "name", { get: () => assert.fail() });
  assert.equal(text(nameless), "[unreadable]");
  const badError = Object.defineProperty(new Error("x"), "stack", { get: () => assert.fail() });
  assert.equal(text(badError), "[unreadable]");
  const looping = new Error("loop");
  looping.cause = looping;
  assert.equal(text(looping).split("[cause]: ").length, 5);
});

test("a long text is cut without halving a character, and nothing is read that would not be shown", () => {
  assert.equal(logText(["a".repeat(50)], 10), `${"a".repeat(9)}…`);
  assert.equal(logText(["a".repeat(8), "😀 and more"], 11), "aaaaaaaa …");
  assert.equal(logText([new Array(1e9)], 12), "[null,null,…");
  assert.equal(
    text(new Uint8Array(50_000_000), { body: Buffer.from("abc") }),
    '"[50000000 bytes]" {"body":"[3 bytes]"}',
  );
  let read = 0;
  const wide = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [`k${n}`, { toJSON: () => ++read }]),
  );
  assert.equal(logText([wide], 100).length, 100);
  assert.ok(read < 20);
  let deep: unknown = 0;
  for (let n = 0; n < 100_000; n++) deep = [deep];
  assert.match(text(deep), /^\[+"\[array\]"\]+$/);
});
