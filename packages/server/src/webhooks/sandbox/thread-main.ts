/** A transform thread: takes jobs, runs those that nobody has taken back meanwhile, and reports in small batches. */
import { setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { isTypeParserBroken } from "./load-transform.ts";
import {
  BEGUN,
  CLAIM_COUNT,
  CLAIM_FIRST,
  CLAIM_SLOT,
  type JobMessage,
  OFFERED,
  type ThreadData,
  type ThreadReport,
  type ThreadRequest,
} from "./messages.ts";
import type { TransformOutcome } from "./outcome.ts";
import { createTransformVm, type Prepared } from "./transform-vm.ts";

const { module, claims, deadlineMs, memoryBytes } = workerData as ThreadData;
const port = parentPort!;
yieldToOthers();

/** Results are reported once they are this old, or this many. */
const REPORT_MS = 2;
const REPORT_COUNT = 16;

/** Of loaded transforms, about 120 KB each: past it the ones used longest ago are loaded anew when they come again. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

/** Machines that were thrown away and may still be in memory. The collector by itself sees no reason to look for them. */
const MAX_DROPPED_BYTES = 16 * 1024 * 1024;

const sources = new Map<string, string>();
const prepared = new Map<string, Prepared>();
let keptBytes = 0;
let collectedAt = 0;
let results: ThreadReport["results"] = [];
let reportedAt = 0;

const vm = createTransformVm(module, {
  deadlineMs,
  memoryBytes,
  polled(now) {
    if (results.length > 0 && now - reportedAt > REPORT_MS) report(now);
  },
});

port.on("message", ({ forget, jobs }: ThreadRequest) => {
  if (isTypeParserBroken()) return;
  for (const key of forget) {
    sources.delete(key);
    unprepare(key);
  }
  reportedAt = performance.now();
  for (const job of jobs) {
    if (job.source !== null && job.input !== null) sources.set(job.key, job.source);
    const state = CLAIM_FIRST + job.slot;
    if (Atomics.compareExchange(claims, state, OFFERED, BEGUN) !== OFFERED) {
      results.push([job.slot, null]);
      continue;
    }
    Atomics.store(claims, CLAIM_SLOT, job.slot);
    Atomics.add(claims, CLAIM_COUNT, 1);
    const outcome = run(job);
    Atomics.add(claims, CLAIM_COUNT, 1);
    results.push([job.slot, outcome]);
    if (isTypeParserBroken()) return report(performance.now());
    const now = performance.now();
    if (results.length >= REPORT_COUNT || now - reportedAt > REPORT_MS) report(now);
  }
  if (results.length > 0) report(performance.now());
  collect();
});

function report(now: number): void {
  port.postMessage({ results, stats: vm.stats(), spent: isTypeParserBroken() } satisfies ThreadReport);
  results = [];
  reportedAt = now;
}

function run({ key, source, input }: JobMessage): TransformOutcome {
  const startedAt = performance.now();
  const until = startedAt + deadlineMs;
  const transform = input === null ? vm.prepare(source ?? "", until) : prepare(key, until);
  const durationMs = performance.now() - startedAt;
  if ("error" in transform) {
    return { status: "failed", error: transform.error, logs: transform.logs, durationMs };
  }
  if (input === null) return { status: "returned", value: null, logs: [], durationMs };
  return vm.call(transform.ready, input, until);
}

/** The transform of a key, loaded unless it is kept; it comes to the end of those that will be dropped. */
function prepare(key: string, until: number): Prepared {
  const known = prepared.get(key);
  if (known !== undefined) {
    prepared.delete(key);
    prepared.set(key, known);
    return known;
  }
  const fresh = vm.prepare(sources.get(key) ?? "", until);
  // Time and memory may do another time, so only what the code itself is at fault for is remembered.
  if ("error" in fresh && fresh.error.kind !== "syntax") return fresh;
  prepared.set(key, fresh);
  keptBytes += bytesOf(fresh);
  for (const oldest of prepared.keys()) {
    if (keptBytes <= MAX_KEPT_BYTES || oldest === key) break;
    unprepare(oldest);
  }
  return fresh;
}

function unprepare(key: string): void {
  const known = prepared.get(key);
  if (known === undefined) return;
  prepared.delete(key);
  keptBytes -= bytesOf(known);
}

function bytesOf(transform: Prepared): number {
  return "error" in transform ? 0 : transform.bytes;
}

let collectGarbage: (() => void) | undefined;

function collect(): void {
  const { droppedBytes } = vm.stats();
  if (droppedBytes - collectedAt < MAX_DROPPED_BYTES) return;
  collectedAt = droppedBytes;
  if (collectGarbage === undefined) {
    setFlagsFromString("--expose-gc");
    collectGarbage = runInNewContext("gc") as () => void;
  }
  collectGarbage();
}

/**
 * Where transforms and everything else want the same cores, everything else comes first. On Linux each thread has a
 * priority of its own; elsewhere it would be the whole process's.
 */
function yieldToOthers(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, 10);
  } catch {
    // A container may forbid it: then they share as before.
  }
}
