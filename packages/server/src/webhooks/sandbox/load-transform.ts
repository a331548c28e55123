/** From the text of an author to a function in the machine. */
import { stripTypeScriptTypes } from "node:module";
import { placeless, type TransformError } from "./outcome.ts";
import type { Bytecode, Machine, Ref } from "./quickjs.ts";
import type { Realm } from "./realm.ts";

/** How places in the source are named in stacks. */
export const FILE_NAME = "transform.js";

/** Under this name a module hands out what it calls transform, exported or not. */
const EXPORT_NAME = "transform of this webhook";
const EXPORT_LINE = `\nexport { transform as ${JSON.stringify(EXPORT_NAME)} };`;

export type Loaded =
  | {
      transform: Ref;
      /** What was compiled: places in errors refer to it. */
      text: string;
    }
  | { error: TransformError };

interface Compiled {
  code: Bytecode;
  text: string;
  kind: "script" | "module";
  exportName: string;
}

/**
 * Compile a source, run its top level, and find its function. Accepted are `function transform`, also async,
 * `const transform = …`, and with `export` or `export default` before it; in JavaScript, or in TypeScript whose types
 * can be left out. A script is tried first, so that only code that exports has to be strict.
 */
export function loadTransform(machine: Machine, realm: Realm, source: string): Loaded {
  const compiled = compileAny(machine, realm, source);
  if ("error" in compiled) return compiled;
  const result = machine.run(compiled.code);
  if (machine.threw(result)) return { error: realm.describe(machine.exception(), "runtime", compiled.text) };
  machine.drainJobs();
  if (machine.stopped() !== null) return { error: realm.describe(null, "runtime", compiled.text) };
  return compiled.kind === "script"
    ? findInScript(machine, realm, compiled)
    : findInModule(machine, realm, compiled, result);
}

function findInScript(machine: Machine, realm: Realm, { text }: Compiled): Loaded {
  const found = machine.evaluate('typeof transform === "function" ? transform : null', "realm.js");
  if (machine.threw(found)) return { error: realm.describe(machine.exception(), "runtime", text) };
  return machine.isFunction(found) ? { transform: found, text } : { error: missing };
}

function findInModule(machine: Machine, realm: Realm, { text, exportName }: Compiled, promise: Ref): Loaded {
  const state = machine.promiseState(promise);
  if (state === 0) {
    const sentence =
      "The code outside of transform awaits what never comes: there is nothing to wait for here.";
    return { error: placeless("runtime", "Error", sentence) };
  }
  if (state === 2) return { error: realm.describe(machine.promiseResult(promise), "runtime", text) };
  const found = machine.property(machine.promiseResult(promise), exportName);
  if (machine.threw(found)) return { error: realm.describe(machine.exception(), "runtime", text) };
  return machine.isFunction(found) ? { transform: found, text } : { error: missing };
}

const missing: TransformError = placeless(
  "syntax",
  "SyntaxError",
  "There is no function called transform in this code.",
);

function compileAny(machine: Machine, realm: Realm, source: string): Compiled | { error: TransformError } {
  const plain = compileJavaScript(machine, realm, source);
  if (!("error" in plain)) return plain;
  const stripped = stripTypes(source);
  if ("error" in stripped) {
    return { error: typeParserBroke ? stripped.error : furtherOn(plain.error, stripped.error) };
  }
  // Types were there to be left out, so it is TypeScript, and what is wrong now is wrong in it.
  return stripped.text === source ? plain : compileJavaScript(machine, realm, stripped.text);
}

function compileJavaScript(
  machine: Machine,
  realm: Realm,
  text: string,
): Compiled | { error: TransformError } {
  const script = machine.compile(text, FILE_NAME, "script");
  if (script !== null) return { code: script, text, kind: "script", exportName: "" };
  const error = syntaxError(machine, realm, text);
  if (!/\b(?:export|import|await)\b/.test(text)) return { error };
  const named = machine.compile(text + EXPORT_LINE, FILE_NAME, "module");
  if (named !== null) return { code: named, text, kind: "module", exportName: EXPORT_NAME };
  machine.exception();
  const module = machine.compile(text, FILE_NAME, "module");
  if (module !== null) return { code: module, text, kind: "module", exportName: "default" };
  const moduleError = syntaxError(machine, realm, text);
  // Without a place it is an import: everything else in the code was understood.
  return { error: moduleError.line === null ? moduleError : furtherOn(moduleError, error) };
}

function syntaxError(machine: Machine, realm: Realm, text: string): TransformError {
  const { stack: _, ...error } = realm.describe(machine.exception(), "syntax", text);
  return error;
}

/** Node's parser of TypeScript, itself WebAssembly, does not survive running out of stack: one for each thread. */
let typeParserBroke = false;

/** Whether TypeScript cannot be read in this thread any more. */
export function isTypeParserBroken(): boolean {
  return typeParserBroke;
}

function stripTypes(source: string): { text: string } | { error: TransformError } {
  try {
    return { text: stripTypeScriptTypes(source, { mode: "strip" }) };
  } catch (fault) {
    if (/_TYPESCRIPT_SYNTAX$/.test((fault as { code?: string }).code ?? "")) {
      return { error: typeScriptError(fault as Error) };
    }
    typeParserBroke = true;
    // Not `syntax`: a webhook that costs a thread with each call has to be throttled.
    return {
      error: placeless("crashed", "SyntaxError", "The code is nested too deeply to be read as TypeScript."),
    };
  }
}

/** The place is in the head of the stack only: `:line`, the line, and a mark below it. */
function typeScriptError({ message, stack = "" }: Error): TransformError {
  const match = /^[^\n]*:(\d+)\n(?:[^\n]*\n)*?( *)\^/.exec(stack);
  return {
    kind: "syntax",
    name: "SyntaxError",
    message: message.split("\n")[0]!.slice(0, 2_000),
    line: match === null ? null : Number(match[1]),
    column: match === null ? null : match[2]!.length + 1,
  };
}

/** Of two parsers' opinions the one that came further: it understood more of the code. */
function furtherOn(first: TransformError, second: TransformError): TransformError {
  const place = ({ line, column }: TransformError) => (line ?? 0) * 1e6 + (column ?? 0);
  return place(second) >= place(first) ? second : first;
}
