/** Attempts at the realm around the transform, which the service uses, too. */
import { fails, failsSaying, type HostileTransform, returns, transform } from "./hostile-transform.ts";

export const MEDDLING: HostileTransform[] = [
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
