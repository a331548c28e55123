/** Attempts at the host: its names, its modules, its functions, its clock. */
import { fails, failsSaying, type HostileTransform, returns, transform } from "./hostile-transform.ts";

export const REACHING_OUT: HostileTransform[] = [
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
