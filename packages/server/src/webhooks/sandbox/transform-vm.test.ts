import assert from "node:assert/strict";
import { test } from "node:test";
import type { TransformError, TransformOutcome } from "./outcome.ts";
import { compileEngine } from "./quickjs.ts";
import { createTransformVm, type ReadyTransform } from "./transform-vm.ts";

const vm = createTransformVm(await compileEngine(), { deadlineMs: 5_000, memoryBytes: 32 * 1024 * 1024 });
const until = () => performance.now() + 5_000;

function load(source: string): ReadyTransform {
  const prepared = vm.prepare(source, until());
  assert.ok("ready" in prepared, JSON.stringify(prepared));
  return prepared.ready;
}

interface Input {
  evt?: string;
  headers?: string;
  queryParams?: string;
  raw?: string;
}

const call = (ready: ReadyTransform, input: Input = {}) =>
  vm.call(ready, { evt: "{}", headers: "{}", queryParams: "{}", raw: "", ...input }, until());

function jsonOf(outcome: TransformOutcome): unknown {
  assert.ok(outcome.status === "returned", JSON.stringify(outcome));
  return outcome.value === null ? null : JSON.parse(outcome.value);
}

const run = (source: string, input?: Input) => jsonOf(call(load(source), input));

function errorOf(source: string): TransformError {
  const prepared = vm.prepare(source, until());
  if ("error" in prepared) return prepared.error;
  const outcome = call(prepared.ready);
  assert.ok(outcome.status === "failed", JSON.stringify(outcome));
  return outcome.error;
}

const placeOf = (source: string) => {
  const { kind, line, column } = errorOf(source);
  return [kind, line, column];
};

test("transform is given event, headers, query parameters and the raw body", () => {
  const input = {
    evt: '{"a":[1,"ü"]}',
    headers: '{"x-a":"b"}',
    queryParams: '{"q":"1"}',
    raw: "r\u0000aw €😀",
  };
  const source = "function transform(...all) { return all; }";
  assert.deepEqual(run(source, input), [{ a: [1, "ü"] }, { "x-a": "b" }, { q: "1" }, "r\u0000aw €😀"]);
});

test("every way to write a function called transform is taken", () => {
  for (const source of [
    "function transform(evt) { return evt; }",
    "async function transform(evt) { await null; return evt; }",
    "const transform = (evt) => evt;",
    "let transform = async (evt) => evt;",
    "var transform = function (evt) { return evt; };",
    "globalThis.transform = (evt) => evt;",
    "export function transform(evt) { return evt; }",
    "export const transform = (evt) => evt;",
    "export default function transform(evt) { return evt; }",
    "export default async function (evt) { return evt; }",
    "export default (evt) => evt;",
    "function transform(evt) { return evt; }\nexport { transform };",
    "const x = await 1;\nexport const transform = (evt) => evt;",
    "function transform(evt) { return { then: (resolve) => resolve(evt) }; }",
  ]) {
    assert.deepEqual(run(source, { evt: '{"a":1}' }), { a: 1 }, source);
  }
});

test("TypeScript is taken, and errors in it have their places", () => {
  const source =
    "interface Order { id: string }\nfunction transform(evt: Order): { id: string } {\n  const id = evt.id as string;\n  if (id === '') throw new Error('empty');\n  return { id };\n}";
  assert.deepEqual(run(source, { evt: '{"id":"o_1"}' }), { id: "o_1" });
  const outcome = call(load(source), { evt: '{"id":""}' });
  assert.ok(outcome.status === "failed");
  assert.deepEqual([outcome.error.line, outcome.error.message], [4, "empty"]);
  assert.deepEqual(
    run("export function transform(evt: any) { return evt.a! satisfies number; }", { evt: '{"a":1}' }),
    1,
  );
});

test("errors of syntax have line and column of the author's text", () => {
  assert.deepEqual(placeOf("function transform(evt) {\n  let x = ;\n}"), ["syntax", 2, 11]);
  assert.deepEqual(placeOf("function transform(evt: number) {\n  let x: number = ;\n}"), ["syntax", 2, 19]);
  assert.deepEqual(placeOf("export function transform(evt) {\n  return {;\n}"), ["syntax", 2, 11]);
  assert.match(errorOf("enum A { b }\nfunction transform() {}").message, /enum/);
});

test("columns count as editors do, also behind characters of several bytes", () => {
  assert.deepEqual(placeOf("const s = 'ü€😀'; let x = ;"), ["syntax", 1, 27]);
  assert.deepEqual(placeOf("function transform() {\n  'ü€😀'; throw new Error('a');\n}"), ["runtime", 2, 21]);
});

test("errors at run time have name, message, place and the frames of the author", () => {
  const error = errorOf(
    "function inner(o) {\n  return o.a.b;\n}\nfunction transform(evt) {\n  return inner(evt);\n}",
  );
  assert.deepEqual([error.kind, error.name, error.line], ["runtime", "TypeError", 2]);
  assert.match(error.message, /'b' of undefined/);
  assert.match(error.stack ?? "", /^at inner \(transform\.js:2:\d+\)\nat transform \(transform\.js:5:\d+\)$/);
});

test("errors of the author's own have their names", () => {
  const { kind, name, message } = errorOf(
    "class OrderError extends Error { name = 'OrderError' }\nasync function transform() { await null; throw new OrderError('no'); }",
  );
  assert.deepEqual([kind, name, message], ["runtime", "OrderError", "no"]);
});

test("without a function called transform the author is told so", () => {
  for (const source of ["", "1 + 1", "function other() {}", "const transform = {};", "export const a = 1;"]) {
    const { kind, message } = errorOf(source);
    assert.deepEqual(
      [kind, message],
      ["syntax", "There is no function called transform in this code."],
      source,
    );
  }
});

test("errors at the top level are reported when the code is loaded", () => {
  assert.deepEqual(placeOf("function transform() {}\nnull.x;"), ["runtime", 2, 1]);
  assert.match(
    errorOf("await new Promise(() => {});\nexport function transform() {}").message,
    /nothing to wait for/,
  );
});

test("nothing survives a call", () => {
  const ready = load(`
    let calls = 0;
    const seen = [];
    const zeros = new Uint8Array(100_000);
    const pattern = /a/g;
    const counter = ((n) => () => ++n)(0);
    const cache = new Map();
    function transform() {
      Object.prototype.polluted = (({}).polluted ?? 0) + 1;
      Array.prototype.map = null;
      globalThis.left = (globalThis.left ?? 0) + 1;
      zeros[50_000]++;
      cache.set({}, 1);
      seen.push(1);
      transform.count = (transform.count ?? 0) + 1;
      pattern.test("aa");
      return [++calls, seen.length, zeros[50_000], pattern.lastIndex, counter(), cache.size, left, ({}).polluted, transform.count];
    }`);
  for (let n = 0; n < 5; n++) {
    assert.deepEqual(jsonOf(call(ready)), [1, 1, 1, 1, 1, 1, 1, 1, 1]);
    // And nothing of a call that was interrupted, or that made the machine grow, either.
    call(load("function transform() { globalThis.left = 7; zeros = 1; return 'x'.repeat(9e6).length; }"));
    vm.call(load("function transform() { globalThis.left = 7; for (;;); }"), NOTHING, performance.now() + 20);
  }
});

const NOTHING = { evt: "{}", headers: "{}", queryParams: "{}", raw: "" };

test("code outside of transform runs once, and what it made is there in every call", () => {
  const ready = load(
    "const table = new Map([['a', 1]]);\nconsole.log('loaded');\nfunction transform() { return table.get('a'); }",
  );
  for (let n = 0; n < 3; n++) {
    const outcome = call(ready);
    assert.deepEqual([jsonOf(outcome), outcome.logs], [1, []]);
  }
});

test("random numbers and the time are those of the call", () => {
  const ready = load("function transform() { return [Math.random(), Math.random(), Date.now()]; }");
  const seen = new Set<number>();
  for (let n = 0; n < 100; n++) {
    const startedAt = Date.now();
    const [first, second, now] = jsonOf(call(ready)) as [number, number, number];
    assert.ok(first >= 0 && first < 1 && second >= 0 && second < 1);
    assert.ok(now >= startedAt && now <= Date.now());
    seen.add(first).add(second);
  }
  assert.equal(seen.size, 200);
});

test("the console is kept as Node would print it", () => {
  const outcome = call(
    load(`class A {}
    function transform() {
      console.log("a", 1, -0, 2n, null, undefined, true, Symbol("s"));
      console.info({ a: "x", "b-c": [1, "it's"], d: {}, e: [] });
      console.warn(new Error("no"), () => 1, function named() {});
      console.error(new Date(0), /x/g, new Map([[1, 2]]), new Set());
      console.debug({ a: { b: { c: { d: 1 } } } });
      console.log();
    }`),
  );
  assert.deepEqual(
    outcome.logs.map(({ level, text }) => [level, text]),
    [
      ["log", "a 1 -0 2n null undefined true Symbol(s)"],
      ["info", "{ a: 'x', 'b-c': [ 1, \"it's\" ], d: {}, e: [] }"],
      ["warn", "Error: no [Function (anonymous)] [Function: named]"],
      ["error", "1970-01-01T00:00:00.000Z /x/g Map(1) Set(0)"],
      ["debug", "{ a: { b: { c: [Object] } } }"],
      ["log", ""],
    ],
  );
});

test("what is logged is bounded, in order, and says when it was cut", () => {
  const many = call(load("function transform() { for (let i = 0; i < 500; i++) console.log(i); }"));
  assert.equal(many.logs.length, 101);
  assert.deepEqual([many.logs[0]!.text, many.logs[99]!.text], ["0", "99"]);
  assert.match(many.logs[100]!.text, /more/);
  const long = call(load("function transform() { console.log('x'.repeat(1e6)); console.log('y'); }"));
  assert.deepEqual([long.logs.length, long.logs[0]!.text.length], [2, 16 * 1024]);
  assert.match(long.logs[1]!.text, /more/);
});

test("what was logged before an error, a stop or the end of memory is kept", () => {
  for (const end of ["throw 1", "for (;;)", "null.x", "const a = []; for (;;) a.push(new Array(1000))"]) {
    const ready = load(`function transform() { console.log('before'); ${end}; }`);
    const outcome = vm.call(ready, NOTHING, performance.now() + 400);
    assert.equal(outcome.status, "failed");
    assert.deepEqual(outcome.logs, [{ level: "log", text: "before" }], end);
  }
});

test("text goes to bytes and back, also text that is broken", () => {
  const source = `function transform(evt, headers, queryParams, raw) {
    const bytes = new TextEncoder().encode(raw);
    const broken = [[0xff], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0x80], [0x61, 0xf0, 0x9f, 0x62]];
    return [[...bytes], new TextDecoder().decode(bytes), broken.map((b) => new TextDecoder().decode(new Uint8Array(b))), btoa("abc"), atob("YWJj")];
  }`;
  const raw = "a\u00e9€😀\ud800";
  const broken = [
    [0xff],
    [0xc3],
    [0xe2, 0x82],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xc0, 0x80],
    [0x61, 0xf0, 0x9f, 0x62],
  ];
  const decode = (bytes: number[]) => new TextDecoder().decode(new Uint8Array(bytes));
  assert.deepEqual(run(source, { raw }), [
    [...new TextEncoder().encode(raw)],
    "a\u00e9€😀\ufffd",
    broken.map(decode),
    "YWJj",
    "abc",
  ]);
});

test("forms can be read and written", () => {
  const raw = "payload=%7B%22a%22%3A1%7D&b=x+y&b=%26&c&=d&%zz=%";
  const source =
    "(q, raw) => { const p = new URLSearchParams(raw); return [p.get('payload'), p.getAll('b'), p.get('c'), p.get('no'), p.has('b'), p.size, String(new URLSearchParams({ a: \"x y&'~*\", b: 'ü' }))]; }";
  const expected = new URLSearchParams(raw);
  assert.deepEqual(
    run(`const read = ${source};\nfunction transform(e, h, q, raw) { return read(q, raw); }`, { raw }),
    [
      '{"a":1}',
      ["x y", "&"],
      "",
      null,
      true,
      expected.size,
      String(new URLSearchParams({ a: "x y&'~*", b: "ü" })),
    ],
  );
});

test("large payloads go through, and the machine that grew for them is given up", () => {
  const items = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `product ${id}`, tags: ["a", "b"] }));
  const evt = JSON.stringify({ items });
  assert.ok(evt.length > 200_000);
  assert.deepEqual(run("function transform(evt) { return evt; }", { evt, raw: evt }), { items });
  assert.ok(vm.stats().memoryBytes < 8 * 1024 * 1024);
});

test("a code that keeps much for all calls keeps it in each", () => {
  const ready = load(
    "const big = 'x'.repeat(4_000_000);\nlet n = 0;\nfunction transform() { n++; return [big.length, n, 'y'.repeat(1e6).length]; }",
  );
  for (let n = 0; n < 3; n++) {
    assert.deepEqual(jsonOf(call(ready)), [4_000_000, 1, 1_000_000]);
    assert.equal(run("function transform() { return 1; }"), 1);
  }
});
