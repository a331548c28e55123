/** Attempts at whoever reads what a transform returns. */
import { fails, failsSaying, type HostileTransform, returns, transform } from "./hostile-transform.ts";

export const ODD_RESULTS: HostileTransform[] = [
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
