/**
 * Transforms in one thread: loads each once, keeps what its memory came to, and runs each call in a copy of that. So a
 * call finds globals, prototypes and closures as loading left them, at the price of copying some hundred KB, and code
 * outside of transform runs once per version and thread, not once per call.
 */
import { type Loaded, loadTransform } from "./load-transform.ts";
import {
  type LogLine,
  placeless,
  type TransformError,
  type TransformJob,
  type TransformOutcome,
} from "./outcome.ts";
import { createMachine, type Machine } from "./quickjs.ts";
import { installRealm, type RealmLimits, type RealmRefs, realmOf } from "./realm.ts";
import { MAX_RESULT_BYTES, resultFault } from "./result-text.ts";
import { type Delta, type Image, reserve, restore, takeDelta, takeImage } from "./snapshot.ts";

/** Memory taken in advance: a call that needs no more, which goes up to some 100 KB of payload, never grows the machine. */
const RESERVED_BYTES = 2 * 1024 * 1024;

/** The engine and its realm take most of this. */
const LEAST_BYTES = 1024 * 1024;

/** What the code outside of transform may keep for all calls. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** Texts of a call that are logged, in all. */
const MAX_LOG_LINES = 100;
const MAX_LOG_BYTES = 16 * 1024;

export interface VmOptions extends RealmLimits {
  /** Called now and then while a transform runs, with `performance.now()`. */
  polled?(now: number): void;
}

/** A transform that is ready to be called, or why it never will be. */
export type Prepared = { ready: ReadyTransform; bytes: number } | { error: TransformError; logs: LogLine[] };

export interface ReadyTransform {
  delta: Delta;
  transform: number;
  /** What was compiled; places in errors refer to it. */
  text: string;
}

export interface TransformVm {
  /**
   * Compile a source and run its top level.
   * @param until `performance.now()` when it is stopped
   */
  prepare(source: string, until: number): Prepared;
  call(
    ready: ReadyTransform,
    job: Pick<TransformJob, "evt" | "headers" | "queryParams" | "raw">,
    until: number,
  ): TransformOutcome;
  /** Bytes of linear memory in use, and how much was thrown away since the start. */
  stats(): VmStats;
}

export interface VmStats {
  memoryBytes: number;
  machinesMade: number;
  droppedBytes: number;
}

/** @example const vm = createTransformVm(await compileEngine(), { deadlineMs: 1_000, memoryBytes: 64 * 1024 * 1024 }) */
export function createTransformVm(module: WebAssembly.Module, options: VmOptions): TransformVm {
  const { memoryBytes } = options;
  if (memoryBytes < LEAST_BYTES) throw new RangeError(`A machine needs ${LEAST_BYTES} bytes of memory.`);
  let logs = createLog();
  const hooks = { print: (text: string) => logs.add(text), polled: options.polled ?? (() => {}) };
  let machinesMade = 1;
  let droppedBytes = 0;

  let machine: Machine | null = createMachine(module, hooks);
  machine.allow(Number.POSITIVE_INFINITY);
  const refs: RealmRefs = installRealm(machine);
  machine.limitMemory(memoryBytes);
  reserve(machine, RESERVED_BYTES);
  const image: Image = takeImage(machine);
  /** Whose leftovers may be in the memory. */
  let owner: Delta | null = null;

  /** A machine in which nothing has happened yet since `delta` was taken. */
  const fresh = (delta: Delta | null): Machine => {
    shed(delta?.size ?? image.size);
    const made = machine === null;
    machine ??= createMachine(module, hooks, true);
    if (made) machinesMade++;
    restore(machine, image, delta, !made && (delta === null || owner !== delta));
    owner = delta;
    machine.limitMemory(memoryBytes);
    return machine;
  };

  /** Memory of WebAssembly does not shrink, so a machine that grew goes at once. */
  const shed = (size: number) => {
    if (machine !== null && machine.memory.buffer.byteLength > size) drop();
  };

  const drop = () => {
    droppedBytes += machine?.memory.buffer.byteLength ?? 0;
    machine = null;
  };

  const random = () => Math.floor(Math.random() * 0x1_0000_0000);

  /** What the machine could not survive. Its memory is not to be trusted any more. */
  const brokenDown = (error: unknown): TransformError => {
    drop();
    if (error instanceof RangeError && error.message.includes("call stack")) {
      return placeless("runtime", "RangeError", "Maximum call stack size exceeded");
    }
    if (error instanceof RangeError) return placeless("memory", "MemoryError", "There was no memory left.");
    return placeless("crashed", "Error", `The engine broke down: ${(error as Error).message}`.slice(0, 500));
  };

  return {
    prepare(source, until) {
      logs = createLog();
      try {
        const machine = fresh(null);
        machine.allow(until);
        machine.call(refs.seed, [machine.number(random()), machine.number(random())]);
        const loaded: Loaded = loadTransform(machine, realmOf(machine, refs, options), source);
        if ("error" in loaded) return { error: loaded.error, logs: logs.lines };
        machine.drainJobs();
        const delta = takeDelta(machine, image);
        if (delta.bytes.length > MAX_KEPT_BYTES) {
          const sentence = `The code outside of transform keeps more than ${MAX_KEPT_BYTES / 2 ** 20} MiB.`;
          return { error: placeless("memory", "MemoryError", sentence), logs: logs.lines };
        }
        return {
          ready: { delta, transform: loaded.transform, text: loaded.text },
          bytes: delta.bytes.length,
        };
      } catch (error) {
        return { error: brokenDown(error), logs: logs.lines };
      } finally {
        shed(image.size);
      }
    },

    call({ delta, transform, text: source }, { evt, headers, queryParams, raw }, until) {
      const startedAt = performance.now();
      logs = createLog();
      const failed = (error: TransformError): TransformOutcome => {
        return { status: "failed", error, logs: logs.lines, durationMs: performance.now() - startedAt };
      };
      try {
        const machine = fresh(delta);
        const realm = realmOf(machine, refs, options);
        machine.allow(until);
        const { string, number } = machine;
        let value = machine.call(refs.start, [
          transform,
          string(evt),
          string(headers),
          string(queryParams),
          string(raw),
          number(random()),
          number(random()),
        ]);
        if (machine.threw(value)) return failed(realm.describe(machine.exception(), "runtime", source));
        if (machine.isPromise(value)) {
          machine.drainJobs();
          if (machine.stopped() !== null) return failed(realm.describe(null, "runtime", source));
          const state = machine.promiseState(value);
          if (state === 0) {
            const sentence = "The promise of transform never resolved: there is nothing to wait for here.";
            return failed(placeless("result", "Error", sentence));
          }
          value = machine.promiseResult(value);
          if (state === 2) return failed(realm.describe(value, "runtime", source));
        }
        const written = machine.call(refs.write, [value]);
        if (machine.threw(written)) return failed(realm.describe(machine.exception(), "result", source));
        if (machine.stopped() !== null) return failed(realm.describe(null, "result", source));
        let text: string | null = null;
        if (!machine.isNull(written)) {
          text = machine.text(written, MAX_RESULT_BYTES);
          if (text === null) {
            const sentence = `transform returned more than ${MAX_RESULT_BYTES / 2 ** 20} MiB of JSON.`;
            return failed(placeless("result", "RangeError", sentence));
          }
          const fault = resultFault(text);
          if (fault !== null) return failed(placeless("result", "RangeError", fault));
        }
        return {
          status: "returned",
          value: text,
          logs: logs.lines,
          durationMs: performance.now() - startedAt,
        };
      } catch (error) {
        return failed(brokenDown(error));
      } finally {
        shed(delta.size);
      }
    },

    stats: () => ({ memoryBytes: machine?.memory.buffer.byteLength ?? 0, machinesMade, droppedBytes }),
  };
}

interface Log {
  lines: LogLine[];
  add(text: string): void;
}

/** What a call printed. The realm keeps to the same bounds, but it is the user's code that runs there. */
function createLog(): Log {
  const lines: LogLine[] = [];
  let bytes = 0;
  let cut = false;
  return {
    lines,
    add(printed) {
      if (cut) return;
      const match = /^(cut )?(log|info|warn|error|debug) /.exec(printed);
      if (match === null) return;
      cut = match[1] !== undefined || lines.length >= MAX_LOG_LINES || bytes > MAX_LOG_BYTES;
      const text = printed.slice(match[0].length, match[0].length + MAX_LOG_BYTES);
      bytes += text.length;
      if (lines.length < MAX_LOG_LINES && (!cut || text.length > 0))
        lines.push({ level: match[2] as LogLine["level"], text });
      if (cut) lines.push({ level: "warn", text: "There was more, which is not kept." });
    },
  };
}
