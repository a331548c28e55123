/**
 * Transforms that mean harm, each with what must come of it: attempts at the host, at time and memory without end, at
 * the realm around them, and at whoever reads what they return or throw.
 */
import type { TransformErrorKind } from "./outcome.ts";

export interface HostileTransform {
  name: string;
  source: string;
  /** What it returns, or the kind it fails with; several where the engine may give up at either bound first. */
  expect: { returns: unknown } | { fails: TransformErrorKind[]; message?: RegExp };
}

const transform = (body: string) => `function transform(evt, headers, queryParams, raw) {\n${body}\n}`;
const fails = (...kinds: TransformErrorKind[]) => ({ fails: kinds });
const failsSaying = (message: RegExp, ...kinds: TransformErrorKind[]) => ({ fails: kinds, message });
const returns = (value: unknown) => ({ returns: value });

const ENDLESS: HostileTransform[] = [
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

const GREEDY: HostileTransform[] = [
  {
    name: "arrays without end",
    source: transform("const a = []; for (;;) a.push(new Array(1000).fill(a.length));"),
    expect: failsSaying(/64 MiB|16 MiB/, "memory"),
  },
  {
    name: "memory that catches its end",
    source: transform("const a = []; for (;;) { try { a.push('x'.repeat(1e6) + a.length); } catch {} }"),
    expect: fails("timeout", "memory"),
  },
  {
    name: "text that doubles",
    source: transform("let s = 'ab'; for (;;) s += s;"),
    expect: fails("memory", "runtime"),
  },
  {
    name: "a text of a gigabyte",
    source: transform("return 'x'.repeat(2 ** 30);"),
    expect: fails("memory", "runtime"),
  },
  {
    name: "a buffer of a gigabyte",
    source: transform("return new Uint8Array(2 ** 30).length;"),
    expect: fails("memory", "runtime"),
  },
  {
    name: "buffers without end",
    source: transform("const a = []; for (;;) a.push(new ArrayBuffer(1e6));"),
    expect: fails("memory", "runtime"),
  },
  {
    name: "holes between values",
    source: transform(
      "let keep = []; for (let size = 16; ; size *= 2) { let a = []; for (let i = 0; i < 2e6 / size; i++) a.push('x'.repeat(size) + i); keep.push(a.filter((_, i) => i % 2)); }",
    ),
    expect: fails("memory", "timeout", "runtime"),
  },
  {
    name: "a map without end",
    source: transform("const m = new Map(); for (let i = 0; ; i++) m.set(i, {});"),
    expect: fails("memory", "timeout"),
  },
  {
    name: "an array of four billion",
    source: transform("return Array(2 ** 32 - 1).length;"),
    expect: returns(4294967295),
  },
  {
    name: "filling an array of four billion",
    source: transform("return Array(2 ** 32 - 1).fill(0).length;"),
    expect: fails("memory", "timeout", "runtime"),
  },
  {
    name: "recursion",
    source: transform("const f = (n) => f(n + 1) + 1;\nreturn f(0);"),
    expect: failsSaying(/call stack/, "runtime"),
  },
  {
    name: "recursion through natives",
    source: transform("const f = () => [1].map(f);\nreturn f();"),
    expect: failsSaying(/call stack/, "runtime"),
  },
  {
    name: "recursion in JSON.parse",
    source: transform("return JSON.parse('['.repeat(1e6));"),
    expect: fails("runtime"),
  },
  {
    name: "recursion in a reviver",
    source: transform("const f = () => JSON.parse('[1]', f);\nreturn f();"),
    expect: fails("runtime"),
  },
  {
    name: "recursion in a regex",
    source: transform("return new RegExp('('.repeat(50000) + ')'.repeat(50000)).test('');"),
    expect: fails("runtime"),
  },
  {
    name: "recursion in eval",
    source: transform("return eval('('.repeat(1e5) + ')'.repeat(1e5));"),
    expect: fails("runtime"),
  },
  {
    name: "recursion in a proxy of itself",
    source: transform("const p = new Proxy({}, {}); Object.setPrototypeOf(p, p); return p.a;"),
    expect: fails("runtime"),
  },
  {
    name: "too deep a result",
    source: transform("let a = []; for (let i = 0; i < 250; i++) a = [a]; return a;"),
    expect: failsSaying(/200/, "result"),
  },
  {
    name: "a result deeper than the stack",
    source: transform("let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a;"),
    expect: fails("result", "timeout"),
  },
  {
    name: "too many events",
    source: transform("return Array(5001).fill({ name: 'a' });"),
    expect: failsSaying(/5001/, "result"),
  },
  {
    name: "too large a result",
    source: transform("return { a: 'x'.repeat(5 * 2 ** 20) };"),
    expect: failsSaying(/4 MiB/, "result"),
  },
  {
    name: "result that is small and becomes large",
    source: transform("let a = 'xxxxxxxxxx'; for (let i = 0; i < 40; i++) a = [a, a]; return a;"),
    expect: fails("memory", "timeout"),
  },
  {
    name: "endless console",
    source: transform("for (;;) console.log('x'.repeat(1000));"),
    expect: fails("timeout"),
  },
  {
    name: "huge console",
    source: transform("console.log('x'.repeat(1e6)); console.log({ a: 'y'.repeat(1e6) }); return 1;"),
    expect: returns(1),
  },
  {
    name: "keeping much at the top level",
    source: "const keep = new Array(4e6).fill(1);\nfunction transform() { return keep.length; }",
    expect: fails("memory"),
  },
];

const REACHING_OUT: HostileTransform[] = [
  {
    name: "names of the host",
    source: transform(
      "return ['process', 'require', 'module', 'global', 'Buffer', 'fetch', 'setTimeout', 'setInterval', 'setImmediate', 'Worker', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'std', 'os', 'print', 'scriptArgs', 'Deno', 'Bun', 'window', 'self', 'performance', 'importScripts', 'XMLHttpRequest'].filter((name) => name in globalThis);",
    ),
    expect: returns([]),
  },
  {
    name: "fetch",
    source: transform("return fetch('http://127.0.0.1/');"),
    expect: failsSaying(/fetch is not defined/, "runtime"),
  },
  {
    name: "require",
    source: transform("return require('fs').readFileSync('/etc/passwd');"),
    expect: failsSaying(/require is not defined/, "runtime"),
  },
  {
    name: "static import",
    source: "import fs from 'fs';\nexport function transform() { return 1; }",
    expect: failsSaying(/import is not available/, "syntax"),
  },
  {
    name: "dynamic import",
    source: "async function transform() { return await import('node:fs'); }",
    expect: failsSaying(/import is not available/, "runtime"),
  },
  {
    name: "import of itself",
    source: "import * as me from 'transform.js';\nexport function transform() { return 1; }",
    expect: fails("syntax"),
  },
  {
    name: "re-export",
    source: "export * from 'node:process';\nexport function transform() { return 1; }",
    expect: fails("syntax"),
  },
  {
    name: "import.meta",
    source: "export function transform() { return Object.keys(import.meta); }",
    expect: returns([]),
  },
  {
    name: "constructor.constructor",
    source: transform("return [].constructor.constructor('return process')();"),
    expect: failsSaying(/process is not defined/, "runtime"),
  },
  {
    name: "Function",
    source: transform("return Function('return typeof process + typeof this.process')();"),
    expect: returns("undefinedundefined"),
  },
  {
    name: "constructor of async functions",
    source: "async function transform() { return (async () => {}).constructor('return typeof require')(); }",
    expect: returns("undefined"),
  },
  {
    name: "constructor of the console",
    source: transform("return console.log.constructor('return typeof process')();"),
    expect: returns("undefined"),
  },
  {
    name: "this of sloppy code",
    source: transform("return (function () { return typeof this.process; })();"),
    expect: returns("undefined"),
  },
  {
    name: "callers",
    source: transform("return (function f() { return String(f.caller); })();"),
    expect: returns("undefined"),
  },
  {
    name: "frames of the stack",
    source: transform(
      "Error.prepareStackTrace = (_, frames) => frames;\nconst found = new Error().stack;\nfor (const frame of Array.isArray(found) ? found : []) { const fn = frame.getFunction?.(); if (typeof fn === 'function') { try { fn(() => 1, '{}', '{}', '{}', '', 1, 1); } catch {} } }\nreturn 'alive';",
    ),
    expect: { fails: ["runtime", "timeout"] },
  },
  {
    name: "waiting by Atomics",
    source: transform("return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);"),
    expect: failsSaying(/not defined/, "runtime"),
  },
  {
    name: "timers",
    source: transform("return new Promise((r) => setTimeout(r, 1000));"),
    expect: failsSaying(/setTimeout is not defined/, "runtime"),
  },
  {
    name: "Intl",
    source: transform("return Intl.DateTimeFormat().resolvedOptions().timeZone;"),
    expect: failsSaying(/Intl is not defined/, "runtime"),
  },
  {
    name: "time zone of the host",
    source: transform("return new Date(0).getTimezoneOffset();"),
    expect: returns(0),
  },
  {
    name: "dates out of range",
    source: transform("return [new Date(8.64e15 + 1).getTime(), new Date(NaN)];"),
    expect: returns([null, null]),
  },
];

const MEDDLING: HostileTransform[] = [
  {
    name: "JSON of its own",
    source: transform("JSON.stringify = () => 'not JSON'; JSON.parse = null; return { a: 1 };"),
    expect: returns({ a: 1 }),
  },
  {
    name: "JSON replaced at the top level",
    source:
      "JSON.parse = () => ({ evil: 1 });\nglobalThis.JSON = null;\nfunction transform(evt) { return evt; }",
    expect: returns({ a: 1 }),
  },
  {
    name: "toJSON for all",
    source: transform("Object.prototype.toJSON = () => ({ b: 2 }); return { a: 1 };"),
    expect: returns({ b: 2 }),
  },
  {
    name: "toJSON that lies about itself",
    source: transform("return { toJSON: () => ({ toJSON: () => 1, a: 2 }) };"),
    expect: returns({ a: 2 }),
  },
  {
    name: "setters for all arrays",
    source: transform(
      "for (const key of [0, 1, 2, 'length']) { try { Object.defineProperty(Array.prototype, key, { set() { throw new Error('caught'); }, get() { return 7; } }); } catch {} }\nconsole.log('a', { b: [1] });\nreturn [1, 2];",
    ),
    // The engine itself appends to an array while it writes JSON.
    expect: failsSaying(/caught/, "result"),
  },
  {
    name: "methods of all arrays",
    source: transform(
      "for (const key of Object.getOwnPropertyNames(Array.prototype)) { try { Array.prototype[key] = null; } catch {} }\nArray.prototype[Symbol.iterator] = null;\nconsole.log('a', [1]);\nreturn { ok: true };",
    ),
    expect: returns({ ok: true }),
  },
  {
    name: "methods of all strings",
    source: transform(
      "for (const key of Object.getOwnPropertyNames(String.prototype)) { try { String.prototype[key] = () => { throw 1; }; } catch {} }\nconsole.log('a');\nthrow new Error('said');",
    ),
    expect: failsSaying(/^said$/, "runtime"),
  },
  {
    name: "methods of all functions",
    source: transform(
      "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw 1; };\nReflect.apply = null;\nconsole.log({ a: 1 }, new Date(0));\nreturn 1;",
    ),
    expect: returns(1),
  },
  {
    name: "promises of its own",
    source:
      "globalThis.Promise = class { then() { return 'no'; } };\nasync function transform() { await null; return 1; }",
    expect: returns(1),
  },
  {
    name: "then for all promises",
    source:
      "Promise.prototype.then = () => { throw new Error('then'); };\nasync function transform() { await 0; return 1; }",
    expect: returns(1),
  },
  {
    name: "everything deleted",
    source: transform(
      "const all = globalThis; for (const key of Reflect.ownKeys(all)) delete all[key];\nreturn { a: [1, { b: 2 }] };",
    ),
    expect: returns({ a: [1, { b: 2 }] }),
  },
  {
    name: "everything frozen",
    source: transform("Object.freeze(Object.prototype); Object.freeze(globalThis); return 1;"),
    expect: returns(1),
  },
  {
    name: "prototype pollution",
    source: transform(
      "Object.prototype.polluted = 'yes'; evt.__proto__.more = 1; Array.prototype.polluted = 1; return ({}).polluted;",
    ),
    expect: returns("yes"),
  },
  {
    name: "pollution of descriptors",
    source: transform(
      "Object.prototype.get = () => 1; Object.prototype.value = 2; Object.prototype.enumerable = true; console.log({ a: 1 }); return { a: 1 };",
    ),
    expect: returns({ a: 1 }),
  },
  {
    name: "keys called __proto__",
    source: transform('return JSON.parse(\'{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}\');'),
    expect: returns(JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}')),
  },
  { name: "eval", source: transform("eval('var secret = 42'); return secret;"), expect: returns(42) },
  { name: "with", source: transform("with ({ a: 5 }) { return a; }"), expect: returns(5) },
  {
    name: "transform behind a getter",
    source: "let n = 0;\nObject.defineProperty(globalThis, 'transform', { get() { n++; return () => n; } });",
    expect: returns(2),
  },
  {
    name: "transform behind a getter that throws",
    source: "Object.defineProperty(globalThis, 'transform', { get() { throw new Error('no'); } });",
    expect: failsSaying(/^no$/, "runtime"),
  },
  {
    name: "transform as a proxy",
    source: "globalThis.transform = new Proxy(() => 1, { apply() { return 2; } });",
    expect: returns(2),
  },
  {
    name: "transform that is none",
    source: "const transform = 5;",
    expect: failsSaying(/no function called transform/, "syntax"),
  },
  { name: "transform that is a class", source: "class transform {}", expect: fails("runtime") },
  {
    name: "transform that replaces itself",
    source: "function transform() { transform = () => 'second'; return 'first'; }",
    expect: returns("first"),
  },
  {
    name: "FinalizationRegistry",
    source: transform(
      "new FinalizationRegistry(() => { for (;;); }).register({}, 1); const o = {}; return new WeakRef(o).deref() === o;",
    ),
    expect: returns(true),
  },
];

const THROWING: HostileTransform[] = [
  { name: "throwing null", source: transform("throw null;"), expect: failsSaying(/threw null/, "runtime") },
  {
    name: "throwing undefined",
    source: transform("throw undefined;"),
    expect: failsSaying(/threw undefined/, "runtime"),
  },
  {
    name: "throwing a symbol",
    source: transform("throw Symbol('s');"),
    expect: failsSaying(/Symbol\(s\)/, "runtime"),
  },
  {
    name: "throwing a text",
    source: transform("throw 'text';"),
    expect: failsSaying(/threw 'text'/, "runtime"),
  },
  {
    name: "throwing what cannot be text",
    source: transform(
      "throw { toString() { throw 1; }, get message() { throw 2; }, get stack() { throw 3; }, get name() { throw 4; } };",
    ),
    expect: fails("runtime"),
  },
  {
    name: "throwing a proxy",
    source: transform(
      "throw new Proxy({}, { get() { throw 1; }, ownKeys() { throw 2; }, getPrototypeOf() { throw 3; } });",
    ),
    expect: fails("runtime"),
  },
  {
    name: "throwing what never tells",
    source: transform("throw { get message() { for (;;); } };"),
    expect: fails("runtime", "timeout"),
  },
  {
    name: "throwing a huge message",
    source: transform("throw new Error('x'.repeat(1e6));"),
    expect: failsSaying(/^x{2000}$/, "runtime"),
  },
  {
    name: "throwing a false place",
    source: transform("const e = new Error('e'); e.stack = 'at x (transform.js:999999999999:1)'; throw e;"),
    expect: failsSaying(/^e$/, "runtime"),
  },
  {
    name: "throwing when being stopped",
    source: transform("try { for (;;); } catch (e) { throw new Error('mine'); } finally { return 'mine'; }"),
    expect: fails("timeout"),
  },
  {
    name: "pretending to be out of memory",
    source: transform("const e = new Error('out of memory'); e.name = 'InternalError'; throw e;"),
    expect: fails("memory"),
  },
  {
    name: "rejecting with nothing",
    source: "async function transform() { return Promise.reject(); }",
    expect: failsSaying(/threw undefined/, "runtime"),
  },
  {
    name: "console with traps",
    source: transform(
      "console.log(new Proxy({}, { ownKeys() { throw 1; } }), { get a() { throw 2; } }); return 1;",
    ),
    expect: returns(1),
  },
  {
    name: "console with a trap without end",
    source: transform("console.log(new Proxy({}, { ownKeys() { for (;;); } }));"),
    expect: fails("timeout"),
  },
];

const ODD_RESULTS: HostileTransform[] = [
  {
    name: "cycle",
    source: transform("const a = {}; a.a = a; return a;"),
    expect: failsSaying(/circular/, "result"),
  },
  { name: "BigInt", source: transform("return { n: 1n };"), expect: failsSaying(/BigInt/, "result") },
  { name: "function", source: transform("return () => 1;"), expect: failsSaying(/function/, "result") },
  { name: "symbol", source: transform("return Symbol('a');"), expect: failsSaying(/symbol/, "result") },
  {
    name: "numbers that JSON has not",
    source: transform("return [NaN, Infinity, -Infinity, -0];"),
    expect: returns([null, null, null, 0]),
  },
  {
    name: "values that JSON has not",
    source: transform("return { a: undefined, b() {}, [Symbol('c')]: 1, d: [undefined, () => 1] };"),
    expect: returns({ d: [null, null] }),
  },
  {
    name: "halves of characters",
    source: transform("return { a: '\\ud800', b: '\\u0000' };"),
    expect: returns({ a: "\ud800", b: "\0" }),
  },
  {
    name: "getter that throws",
    source: transform("return { get a() { throw new Error('got'); } };"),
    expect: failsSaying(/^got$/, "result"),
  },
  {
    name: "toJSON that throws",
    source: transform("return { toJSON() { throw new Error('json'); } };"),
    expect: failsSaying(/^json$/, "result"),
  },
  {
    name: "then that throws",
    source: transform("return { get then() { throw new Error('then'); } };"),
    expect: failsSaying(/^then$/, "runtime"),
  },
  {
    name: "revoked proxy",
    source: transform("const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy;"),
    expect: fails("runtime", "result"),
  },
  {
    name: "map, set and buffer",
    source: transform("return [new Map([[1, 2]]), new Set([1]), new Uint8Array(2), /x/, new Error('e')];"),
    expect: returns([{}, {}, { 0: 0, 1: 0 }, {}, {}]),
  },
  { name: "nothing", source: transform(""), expect: returns(null) },
];

/** @example for (const { name, source, expect } of ESCAPE_CORPUS) … */
export const ESCAPE_CORPUS: readonly HostileTransform[] = [
  ...ENDLESS,
  ...GREEDY,
  ...REACHING_OUT,
  ...MEDDLING,
  ...THROWING,
  ...ODD_RESULTS,
];
