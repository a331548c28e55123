/** Attempts to go on for ever: in loops, jobs, traps, expressions and natives. */
import { fails, failsSaying, type HostileTransform, transform } from "./hostile-transform.ts";

export const ENDLESS: HostileTransform[] = [
  { name: "plain loop", source: transform("while (true);"), expect: fails("timeout") },
  {
    name: "labelled loops",
    source: transform("a: for (;;) { b: for (;;) { continue a; } }"),
    expect: fails("timeout"),
  },
  { name: "loop at the top level", source: "for (;;);\nfunction transform() {}", expect: fails("timeout") },
  {
    name: "loop in a job of the top level",
    source: "Promise.resolve().then(() => { for (;;); });\nfunction transform() {}",
    expect: fails("timeout"),
  },
  {
    name: "loop that catches being stopped",
    source: transform("while (true) { try { while (true); } catch {} }"),
    expect: fails("timeout"),
  },
  {
    name: "finally that goes on",
    source: transform("for (;;) { try { for (;;); } finally { continue; } }"),
    expect: fails("timeout"),
  },
  {
    name: "recursion that catches its overflow",
    source: transform("const f = () => { try { f(); } finally { f(); } };\nf();"),
    expect: fails("timeout", "runtime"),
  },
  {
    name: "loop in a getter of the result",
    source: transform("return { get a() { for (;;); } };"),
    expect: fails("timeout"),
  },
  {
    name: "loop in toJSON",
    source: transform("return { toJSON() { for (;;); } };"),
    expect: fails("timeout"),
  },
  {
    name: "loop in a trap of the result",
    source: transform("return new Proxy({}, { ownKeys() { for (;;); } });"),
    expect: fails("timeout"),
  },
  {
    name: "result with keys without end",
    source: transform(
      "const p = new Proxy({}, { get: (_, k) => (k === 'toJSON' || k === 'then' ? undefined : p), ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) });\nreturn p;",
    ),
    expect: fails("result", "timeout", "memory"),
  },
  {
    name: "loop in a then",
    source: transform("return Promise.resolve(1).then(() => { for (;;); });"),
    expect: fails("timeout"),
  },
  {
    name: "loop in the then of a thenable",
    source: transform("return { then() { for (;;); } };"),
    expect: fails("timeout"),
  },
  {
    name: "jobs that make jobs",
    source: transform("const next = () => Promise.resolve().then(next);\nreturn next();"),
    expect: fails("timeout", "memory"),
  },
  {
    name: "promise storm",
    source: transform(
      "const more = async () => { await null; more(); more(); };\nreturn more().then(() => new Promise(() => {}));",
    ),
    expect: fails("timeout", "memory"),
  },
  {
    name: "async loop that catches",
    source: "async function transform() { for (;;) { try { await null; for (;;); } catch {} } }",
    expect: fails("timeout"),
  },
  {
    name: "promise that never resolves",
    source: "async function transform() { await new Promise(() => {}); }",
    expect: failsSaying(/never resolved/, "result"),
  },
  {
    name: "generator without end",
    source: transform("function* g() { for (;;) yield 1; }\nfor (const _ of g());"),
    expect: fails("timeout"),
  },
  {
    name: "spread of an iterator without end",
    source: transform(
      "return [...{ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) }];",
    ),
    expect: fails("timeout", "memory"),
  },
  {
    name: "comparator that never ends",
    source: transform("return [3, 2, 1].sort(() => { for (;;); });"),
    expect: fails("timeout"),
  },
  {
    name: "valueOf that never ends",
    source: transform("return +{ valueOf() { for (;;); } };"),
    expect: fails("timeout"),
  },
  {
    name: "regex bomb",
    source: transform("return /^(a+)+$/.test('a'.repeat(64) + '!');"),
    expect: fails("timeout"),
  },
  {
    name: "regex bomb with backreference",
    source: transform("return /(x+x+)+\\1y/.exec('x'.repeat(200));"),
    expect: fails("timeout"),
  },
  {
    name: "regex bomb in replace",
    source: transform("return 'a'.repeat(60).concat('!').replace(/(a|aa)+$/g, '');"),
    expect: fails("timeout"),
  },
  {
    name: "native loop over an array that has no end",
    source: transform("return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);"),
    expect: fails("timeout"),
  },
  {
    name: "join of an array of four billion",
    source: transform("return [].concat(Array(2 ** 32 - 1)).join('x').length;"),
    expect: fails("timeout", "memory", "runtime"),
  },
  {
    name: "sort of a sparse array",
    source: transform("const a = []; a.length = 2 ** 32 - 1; return a.sort().length;"),
    expect: fails("timeout", "memory", "runtime"),
  },
  {
    name: "numbers without end",
    source: transform("let n = 3n; for (;;) n = n * n;"),
    expect: fails("timeout", "memory", "runtime"),
  },
  {
    name: "power of a huge number",
    source: transform("return String(7n ** 20_000_000n).length;"),
    expect: fails("timeout", "memory", "runtime"),
  },
  {
    name: "search in text that backs up",
    source: transform("return ('a'.repeat(2e7)).split('a'.repeat(1e7) + 'b').length;"),
    expect: { fails: ["timeout", "memory", "runtime"] },
  },
];
