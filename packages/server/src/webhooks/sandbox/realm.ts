/** The host's side of `realm.js`: its functions in the machine, and what they tell of errors. */
import { readFileSync } from "node:fs";
import { placeless, type TransformError } from "./outcome.ts";
import type { Machine, Ref } from "./quickjs.ts";

const REALM_SOURCE = readFileSync(new URL("realm.js", import.meta.url), "utf8");
const WEB_NAMES_SOURCE = readFileSync(new URL("web-names.js", import.meta.url), "utf8");

/** Time to describe what was thrown: getters of the user's code may run meanwhile. */
const DESCRIBE_MS = 50;
/** Memory to do so when it was memory that ran out. */
const DESCRIBE_BYTES = 2 * 1024 * 1024;

const MAX_FRAMES = 10;

export interface RealmRefs {
  seed: Ref;
  start: Ref;
  write: Ref;
  describe: Ref;
}

export interface Realm {
  refs: RealmRefs;
  /**
   * An error as its author is told of it. Whatever stopped the code goes before what it threw.
   * @param thrown null when only the reason for stopping is of interest
   * @param kind of an error that is none of time and memory
   * @param text what was compiled
   */
  describe(thrown: Ref | null, kind: TransformError["kind"], text: string): TransformError;
}

export interface RealmLimits {
  deadlineMs: number;
  memoryBytes: number;
}

/** Set the realm up in a new machine. @returns where its functions are, in this machine and in every copy of its memory */
export function installRealm(machine: Machine): RealmRefs {
  const install = machine.evaluate(REALM_SOURCE, "realm.js");
  const realm = machine.call(install, [machine.hostFunction("print")]);
  const names = machine.evaluate(WEB_NAMES_SOURCE, "web-names.js");
  if (machine.threw(realm) || machine.threw(names))
    throw new Error("The realm of transforms could not be set up.");
  const ref = (name: string) => machine.property(realm, name);
  return { seed: ref("seed"), start: ref("start"), write: ref("write"), describe: ref("describe") };
}

export function realmOf(machine: Machine, refs: RealmRefs, limits: RealmLimits): Realm {
  return {
    refs,
    describe(thrown, kind, text) {
      const stopped = machine.stopped();
      if (stopped === "timeout") return timedOut(limits);
      if (stopped === "memory" || thrown === null) return outOfMemory(limits);
      // Nothing is left to make an error from: then the engine throws null.
      if (machine.isNull(thrown) && machine.memory.buffer.byteLength > limits.memoryBytes / 2) {
        return outOfMemory(limits);
      }
      machine.limitMemory(limits.memoryBytes + DESCRIBE_BYTES);
      machine.allow(performance.now() + DESCRIBE_MS);
      const described = machine.call(refs.describe, [thrown]);
      const json = machine.threw(described) ? null : machine.text(described, 64 * 1024);
      if (json === null) return placeless(kind, "Error", "The code threw something that cannot be read.");
      const [name, message, stack] = JSON.parse(json) as [string, string, string];
      if (name === "InternalError" && message === "out of memory") {
        return { ...outOfMemory(limits), ...place(stack, text) };
      }
      return { kind, name, message, ...place(stack, text) };
    },
  };
}

export function timedOut({ deadlineMs }: RealmLimits): TransformError {
  const sentence = `The code ran for longer than ${deadlineMs} ms and was stopped.`;
  return placeless("timeout", "TimeoutError", sentence);
}

function outOfMemory({ memoryBytes }: RealmLimits): TransformError {
  const sentence = `The code took more than ${Math.round(memoryBytes / 2 ** 20)} MiB of memory.`;
  return placeless("memory", "MemoryError", sentence);
}

/** Frames in the author's code, and the place of the innermost. */
function place(stack: string, text: string): Pick<TransformError, "line" | "column" | "stack"> {
  const frames: string[] = [];
  let line: number | null = null;
  let column: number | null = null;
  for (const frame of stack.split("\n")) {
    const match = /^(.*)\btransform\.js:(\d{1,9}):(\d{1,9})(\)?)$/.exec(frame);
    if (match === null || frames.length === MAX_FRAMES) continue;
    const [, before = "", lineText, columnText, after = ""] = match;
    const at = characterColumn(text, Number(lineText), Number(columnText));
    if (frames.length === 0) {
      line = Number(lineText);
      column = at;
    }
    frames.push(
      `${before.trim().slice(0, 200)}${before.endsWith(" ") ? " " : ""}transform.js:${lineText}:${at}${after}`,
    );
  }
  return frames.length === 0 ? { line, column } : { line, column, stack: frames.join("\n") };
}

/** Editors count UTF-16 units, the engine bytes of UTF-8. */
function characterColumn(text: string, line: number, column: number): number {
  const bytes = Buffer.from(text.split("\n", line)[line - 1] ?? "");
  return bytes.toString("utf8", 0, column - 1).length + 1;
}
