/** Attempts at whoever reads what a transform throws, or logs. */
import { fails, failsSaying, type HostileTransform, returns, transform } from "./hostile-transform.ts";

export const THROWING: HostileTransform[] = [
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
