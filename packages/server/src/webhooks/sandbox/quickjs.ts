/**
 * QuickJS in WebAssembly: one machine is one instance, with a linear memory of its own. Thin over the functions that
 * the module exports, because a call of a transform is a dozen of them and because its memory has to be ours: it is
 * what we copy to make each call start afresh (`snapshot.ts`).
 *
 * Nothing of the host is reachable from within but what is handed to WebAssembly here: a clock, random bytes for the
 * hash seed, and one function that takes text (`print`).
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Address of a value in the memory of the machine. */
export type Ref = number;

/** Why the machine stopped what ran in it. */
export type Stop = "timeout" | "memory";

export interface MachineHooks {
  /** Text that the code within printed. */
  print(text: string): void;
  /** Called some thousand times a second while code runs, with `performance.now()`. */
  polled(now: number): void;
}

export interface Machine {
  readonly memory: WebAssembly.Memory;
  readonly stackTop: number;
  /** Code may run until then (`performance.now()`); past it everything is stopped, again and again. */
  allow(until: number): void;
  /** Why code was stopped since `allow`; null while it was not. */
  stopped(): Stop | null;
  /** Forget what the stack held: with a restored memory goes an empty stack. */
  resetStack(): void;
  /** Bytes that the values of the code may take. */
  limitMemory(bytes: number): void;
  /** Take memory from the host once and for all, so that calls which need no more do not grow it. */
  reserve(bytes: number): void;
  /** Compile without running. @returns null when it is no valid code; `exception` says why */
  compile(source: string, fileName: string, kind: "script" | "module"): Bytecode | null;
  run(code: Bytecode): Ref;
  evaluate(source: string, fileName: string): Ref;
  string(text: string): Ref;
  number(value: number): Ref;
  /** A function of the host by its name; only `print` is known. */
  hostFunction(name: string): Ref;
  undefined(): Ref;
  property(of: Ref, name: string): Ref;
  call(fn: Ref, args: readonly Ref[]): Ref;
  /** Whether a call or an evaluation threw; then `exception` has what. */
  threw(value: Ref): boolean;
  exception(): Ref;
  isPromise(value: Ref): boolean;
  isNull(value: Ref): boolean;
  isFunction(value: Ref): boolean;
  /** 0 pending, 1 fulfilled, 2 rejected. */
  promiseState(promise: Ref): number;
  promiseResult(promise: Ref): Ref;
  /** Run what promises wait for, until nothing is left, code was stopped, or a job ended the hard way. */
  drainJobs(): void;
  /** Text of a string value; null when it is longer than `maxBytes` in UTF-8, or no memory was left to read it. */
  text(value: Ref, maxBytes: number): string | null;
}

export interface Bytecode {
  at: number;
  bytes: number;
}

interface Exports {
  memory: WebAssembly.Memory;
  __stack_pointer: WebAssembly.Global<"i32">;
  _initialize(): void;
  qjs_init(): number;
  qjs_set_interrupt_handler(enable: number): void;
  qjs_set_module_loader(enable: number): void;
  qjs_set_memory_limit(bytes: number): void;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_eval(code: number, bytes: number, fileName: number, flags: number): Ref;
  qjs_compile(
    code: number,
    bytes: number,
    fileName: number,
    evalFlags: number,
    writeFlags: number,
    outBytes: number,
  ): number;
  qjs_eval_bytecode(at: number, bytes: number): Ref;
  qjs_new_string(at: number, bytes: number): Ref;
  qjs_new_number(value: number): Ref;
  qjs_new_host_function(name: number, bytes: number, argumentCount: number): Ref;
  qjs_new_error(): Ref;
  qjs_throw(error: Ref): Ref;
  qjs_get_undefined(): Ref;
  qjs_get_string_len(value: Ref, outBytes: number): number;
  qjs_free_cstring(at: number): void;
  qjs_get_prop_string(of: Ref, name: number): Ref;
  qjs_set_prop_string(of: Ref, name: number, value: Ref): number;
  qjs_call(fn: Ref, self: Ref, count: number, args: number): Ref;
  qjs_is_exception(value: Ref): number;
  qjs_is_promise(value: Ref): number;
  qjs_is_null(value: Ref): number;
  qjs_is_function(value: Ref): number;
  qjs_get_exception(): Ref;
  qjs_promise_state(promise: Ref): number;
  qjs_promise_result(promise: Ref): Ref;
  qjs_is_job_pending(): number;
  qjs_execute_pending_job(): number;
  wasm_malloc(bytes: number): number;
  wasm_free(at: number): void;
}

const MODULE_FLAG = 1;

/** Text of one print at most; the code within bounds it, too. */
const MAX_PRINT_BYTES = 64 * 1024;

/**
 * Stack of the engine, of the 1 MiB that its memory has for it: 3,000 plain calls deep. The rest is for native
 * functions that look at the bound before they call and not after.
 */
const STACK_BYTES = 512 * 1024;

/**
 * Linear memory past the limit on values: holes between them are not counted by the limit, and code could make many on
 * purpose.
 */
const HOLES_BYTES = 32 * 1024 * 1024;

const IMPORT_SENTENCE = "import is not available in a transform: all its code is in one text.";

/** Errno of WASI: badf, for every file that something asks for. */
const BAD_FILE = 8;

/** Compile the engine, on a thread of the runtime: some ms. The module can be sent to workers, which then share its code. */
export function compileEngine(): Promise<WebAssembly.Module> {
  const path = fileURLToPath(import.meta.resolve("quickjs-wasi/quickjs.wasm"));
  return WebAssembly.compile(readFileSync(path));
}

/**
 * A machine with its engine started.
 * @param bare leave the engine unstarted, for a memory that will be copied in
 * @example const machine = createMachine(module, hooks); machine.allow(performance.now() + 1_000); machine.evaluate("1 + 1", "sum.js")
 */
export function createMachine(module: WebAssembly.Module, hooks: MachineHooks, bare = false): Machine {
  const encoder = new TextEncoder();
  let until = 0;
  let stop: Stop | null = null;
  let maxLinearBytes = Number.POSITIVE_INFINITY;

  const host = {
    host_get_timezone_offset: () => 0,
    host_interrupt() {
      if (stop !== null) return 1;
      const now = performance.now();
      if (now > until) stop = "timeout";
      else if (engine.memory.buffer.byteLength > maxLinearBytes) stop = "memory";
      else hooks.polled(now);
      return stop === null ? 0 : 1;
    },
    host_promise_rejection() {},
    host_module_normalize: refuseImport,
    host_module_load: refuseImport,
    host_call(_name: number, _nameBytes: number, _self: Ref, count: number, args: number) {
      if (count > 0)
        hooks.print(text(new DataView(engine.memory.buffer).getUint32(args, true), MAX_PRINT_BYTES) ?? "");
      return engine.qjs_get_undefined();
    },
  };
  const wasi = {
    clock_time_get(_clock: number, _precision: bigint, at: number) {
      new DataView(engine.memory.buffer).setBigUint64(at, BigInt(Date.now()) * 1_000_000n, true);
      return 0;
    },
    random_get(at: number, bytes: number) {
      crypto.getRandomValues(new Uint8Array(engine.memory.buffer, at, bytes));
      return 0;
    },
    fd_close: () => BAD_FILE,
    fd_fdstat_get: () => BAD_FILE,
    fd_seek: () => BAD_FILE,
    fd_write: () => BAD_FILE,
  };
  const instance = new WebAssembly.Instance(module, { env: host, wasi_snapshot_preview1: wasi });
  const engine = instance.exports as unknown as Exports;
  const stackTop = engine.__stack_pointer.value;

  function refuseImport(): number {
    const error = engine.qjs_new_error();
    withText(IMPORT_SENTENCE, (at, bytes) =>
      withText("message", (name) =>
        engine.qjs_set_prop_string(error, name, engine.qjs_new_string(at, bytes)),
      ),
    );
    engine.qjs_throw(error);
    return 0;
  }

  function allocate(bytes: number): number {
    const at = engine.wasm_malloc(bytes);
    if (at === 0) throw new RangeError("The machine has no memory left.");
    return at;
  }

  /** Lend a text to the engine, as UTF-8 with a zero behind it. */
  function withText<T>(value: string, use: (at: number, bytes: number) => T): T {
    const bytes = Buffer.byteLength(value);
    const at = allocate(bytes + 1);
    const target = new Uint8Array(engine.memory.buffer, at, bytes + 1);
    encoder.encodeInto(value, target);
    target[bytes] = 0;
    const result = use(at, bytes);
    engine.wasm_free(at);
    return result;
  }

  function text(value: Ref, maxBytes: number): string | null {
    const lengthAt = allocate(4);
    const at = engine.qjs_get_string_len(value, lengthAt);
    const bytes = new DataView(engine.memory.buffer).getUint32(lengthAt, true);
    engine.wasm_free(lengthAt);
    if (at === 0) return null;
    const result = bytes > maxBytes ? null : Buffer.from(engine.memory.buffer, at, bytes).toString("utf8");
    engine.qjs_free_cstring(at);
    return result;
  }

  if (!bare) {
    engine._initialize();
    if (engine.qjs_init() !== 0) throw new Error("QuickJS did not start.");
    engine.qjs_set_interrupt_handler(1);
    engine.qjs_set_module_loader(1);
    engine.qjs_set_max_stack_size(STACK_BYTES);
  }

  return {
    memory: engine.memory,
    stackTop,
    allow(time) {
      until = time;
      stop = null;
    },
    stopped: () => stop,
    resetStack() {
      engine.__stack_pointer.value = stackTop;
    },
    limitMemory(bytes) {
      maxLinearBytes = bytes + HOLES_BYTES;
      engine.qjs_set_memory_limit(bytes);
    },
    reserve: (bytes) => engine.wasm_free(allocate(bytes)),
    compile(source, fileName, kind) {
      const flags = kind === "module" ? MODULE_FLAG : 0;
      return withText(source, (at, bytes) =>
        withText(fileName, (name) => {
          const outBytes = allocate(4);
          const code = engine.qjs_compile(at, bytes, name, flags, 0, outBytes);
          const length = new DataView(engine.memory.buffer).getUint32(outBytes, true);
          engine.wasm_free(outBytes);
          return code === 0 ? null : { at: code, bytes: length };
        }),
      );
    },
    run({ at, bytes }) {
      const result = engine.qjs_eval_bytecode(at, bytes);
      engine.wasm_free(at);
      return result;
    },
    evaluate: (source, fileName) =>
      withText(source, (at, bytes) => withText(fileName, (name) => engine.qjs_eval(at, bytes, name, 0))),
    string: (value) => withText(value, (at, bytes) => engine.qjs_new_string(at, bytes)),
    number: (value) => engine.qjs_new_number(value),
    hostFunction: (name) => withText(name, (at, bytes) => engine.qjs_new_host_function(at, bytes, 1)),
    undefined: () => engine.qjs_get_undefined(),
    property: (of, name) => withText(name, (at) => engine.qjs_get_prop_string(of, at)),
    call(fn, args) {
      const at = allocate(args.length * 4);
      const view = new DataView(engine.memory.buffer);
      for (let index = 0; index < args.length; index++) view.setUint32(at + index * 4, args[index]!, true);
      const result = engine.qjs_call(fn, engine.qjs_get_undefined(), args.length, at);
      engine.wasm_free(at);
      return result;
    },
    threw: (value) => engine.qjs_is_exception(value) !== 0,
    exception: () => engine.qjs_get_exception(),
    isPromise: (value) => engine.qjs_is_promise(value) !== 0,
    isNull: (value) => engine.qjs_is_null(value) !== 0,
    isFunction: (value) => engine.qjs_is_function(value) !== 0,
    promiseState: (promise) => engine.qjs_promise_state(promise),
    promiseResult: (promise) => engine.qjs_promise_result(promise),
    drainJobs() {
      while (stop === null && engine.qjs_is_job_pending() !== 0) {
        if (engine.qjs_execute_pending_job() < 0) return;
        // Jobs too short to be polled within could go on for ever.
        host.host_interrupt();
      }
    },
    text,
  };
}
