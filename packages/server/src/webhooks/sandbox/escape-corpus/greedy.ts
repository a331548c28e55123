/** Attempts to have all memory, all of the stack, or an output without end. */
import { fails, failsSaying, type HostileTransform, returns, transform } from "./hostile-transform.ts";

export const GREEDY: HostileTransform[] = [
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
