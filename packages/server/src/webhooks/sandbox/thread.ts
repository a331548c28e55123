/** The main thread's side of one transform thread: what it has been given, what it is at, and how to be rid of it. */
import { Worker } from "node:worker_threads";
import {
  CLAIM_COUNT,
  CLAIM_FIRST,
  CLAIM_SLOT,
  CLAIM_WORDS,
  type JobMessage,
  OFFERED,
  SLOTS,
  type ThreadData,
  type ThreadReport,
  type ThreadRequest,
  WITHDRAWN,
} from "./messages.ts";
import type { TransformOutcome } from "./outcome.ts";
import type { VmStats } from "./transform-vm.ts";

/** Sources that a thread keeps, and with them up to as many loaded transforms. */
const MAX_SOURCES = 50;

/**
 * Native stack of a thread, in MB: the engine bounds its own stack, and that of the machine which carries it has to be
 * larger for the bound to be reached first.
 */
const STACK_MB = 8;

/** JavaScript of the thread itself, without the machines. */
const HEAP_MB = 128;
/** Of that, what is new: outcomes do not live long, and by default a thread takes some 20 MB before it looks after them. */
const YOUNG_MB = 4;

export interface Item {
  /** Of webhook and version. */
  key: string;
  source: string;
  input: JobMessage["input"];
}

export interface Thread<T extends Item> {
  /** Jobs given and not reported yet, without those taken back. */
  atHand(): number;
  free(): number;
  /** Give jobs, `free()` at most. */
  offer(items: readonly T[]): void;
  /** What it runs and for how long it was seen to; null when nothing runs. `now` in ms of any one clock. */
  running(now: number): { item: T; ms: number } | null;
  /** Take back what has not begun. */
  withdraw(): T[];
  /** End the thread. @returns what it ran just now, and what else it had */
  kill(): { running: T | null; others: T[]; ended: Promise<unknown> };
  stats(): VmStats | null;
}

/**
 * @param finished called for each job with its outcome
 * @param broke called when the thread ended by itself, with the error; or when it wants to be replaced, with null
 */
export function startThread<T extends Item>(
  data: Omit<ThreadData, "claims">,
  finished: (item: T, outcome: TransformOutcome) => void,
  broke: (error: Error | null) => void,
): Thread<T> {
  const claims = new Int32Array(new SharedArrayBuffer(CLAIM_WORDS * 4));
  const slots = new Array<T | null>(SLOTS).fill(null);
  const freeSlots = Array.from({ length: SLOTS }, (_, slot) => slot);
  const known = new Set<string>();
  let stats: VmStats | null = null;
  let withdrawn = 0;
  let seen = { count: 0, since: 0 };
  let gone = false;

  const worker = new Worker(new URL("thread-main.ts", import.meta.url), {
    name: "svc-transforms",
    workerData: { ...data, claims } satisfies ThreadData,
    resourceLimits: {
      stackSizeMb: STACK_MB,
      maxOldGenerationSizeMb: HEAP_MB,
      maxYoungGenerationSizeMb: YOUNG_MB,
    },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: {},
  });
  worker.on("message", (report: ThreadReport) => {
    if (gone) return;
    stats = report.stats;
    for (const [slot, outcome] of report.results) {
      const item = slots[slot]!;
      slots[slot] = null;
      freeSlots.push(slot);
      if (outcome === null) withdrawn--;
      else finished(item, outcome);
    }
    if (report.spent) return broke(null);
    // Work keeps the process alive; an idle thread does not.
    if (freeSlots.length === SLOTS) worker.unref();
  });
  const end = (error: Error) => {
    if (gone) return;
    broke(error);
  };
  worker.on("error", end);
  worker.on("exit", (code) => end(new Error(`The thread ended with ${code}.`)));
  // After the listeners: each of them would keep the process alive again.
  worker.unref();

  return {
    atHand: () => SLOTS - freeSlots.length - withdrawn,
    free: () => freeSlots.length,
    offer(items) {
      const jobs: JobMessage[] = [];
      for (const item of items) {
        const { key, source, input } = item;
        const slot = freeSlots.pop()!;
        slots[slot] = item;
        Atomics.store(claims, CLAIM_FIRST + slot, OFFERED);
        // A source that is only checked is used once.
        const has = input !== null && known.delete(key);
        if (input !== null) known.add(key);
        jobs.push({ slot, key, source: has ? null : source, input });
      }
      const forget: string[] = [];
      for (const key of known) {
        if (known.size <= MAX_SOURCES) break;
        known.delete(key);
        forget.push(key);
      }
      worker.ref();
      worker.postMessage({ forget, jobs } satisfies ThreadRequest);
    },
    running(now) {
      const count = Atomics.load(claims, CLAIM_COUNT);
      if (count % 2 === 0) return null;
      const item = slots[Atomics.load(claims, CLAIM_SLOT)];
      if (item === null || item === undefined || Atomics.load(claims, CLAIM_COUNT) !== count) return null;
      if (seen.count !== count) seen = { count, since: now };
      return { item, ms: now - seen.since };
    },
    withdraw() {
      const items: T[] = [];
      for (let slot = 0; slot < SLOTS; slot++) {
        const state = CLAIM_FIRST + slot;
        const item = slots[slot] ?? null;
        if (item === null || Atomics.compareExchange(claims, state, OFFERED, WITHDRAWN) !== OFFERED) continue;
        items.push(item);
        withdrawn++;
      }
      return items;
    },
    kill() {
      gone = true;
      const ran = this.running(0)?.item ?? null;
      const others = slots.filter(
        (item, slot) =>
          item !== null && item !== ran && Atomics.load(claims, CLAIM_FIRST + slot) !== WITHDRAWN,
      ) as T[];
      return { running: ran, others, ended: worker.terminate() };
    },
    stats: () => stats,
  };
}
