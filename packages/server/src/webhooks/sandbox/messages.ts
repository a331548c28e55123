/** What the main thread and a transform thread say to each other, and the memory that they share. */
import type { TransformOutcome } from "./outcome.ts";
import type { VmStats } from "./transform-vm.ts";

export interface ThreadData {
  module: WebAssembly.Module;
  claims: Int32Array<SharedArrayBuffer>;
  deadlineMs: number;
  memoryBytes: number;
}

export interface JobMessage {
  slot: number;
  /** Of webhook and version. */
  key: string;
  /** Only when the thread does not have it yet. */
  source: string | null;
  /** Null: only check the source. */
  input: { evt: string; headers: string; queryParams: string; raw: string } | null;
}

export interface ThreadRequest {
  /** Keys whose source need not be kept any longer. */
  forget: string[];
  jobs: JobMessage[];
}

export interface ThreadReport {
  /** Slot and outcome; null for a job that had been withdrawn. */
  results: [slot: number, outcome: TransformOutcome | null][];
  stats: VmStats;
  /** The thread does no more: what it was given and did not report has to go to another. */
  spent: boolean;
}

/** Jobs that a thread can have at hand. */
export const SLOTS = 32;

/**
 * `claims`: which job is whose is agreed on without messages, because a thread that is busy reads none.
 * - `CLAIM_COUNT`: grows by one when a job begins and when it ends, so it is odd while one runs
 * - `CLAIM_SLOT`: the slot of that job
 * - `CLAIM_FIRST + slot`: what is with the job of a slot
 */
export const CLAIM_COUNT = 0;
export const CLAIM_SLOT = 1;
export const CLAIM_FIRST = 2;
export const CLAIM_WORDS = CLAIM_FIRST + SLOTS;

/** States of a slot: given to the thread, begun by it, or taken back before it began. */
export const OFFERED = 1;
export const BEGUN = 2;
export const WITHDRAWN = 3;
