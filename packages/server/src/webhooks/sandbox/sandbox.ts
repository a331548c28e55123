/**
 * The transforms of webhooks, run where they can harm nothing: in QuickJS, in threads of their own, within bounds of
 * time, memory and size, and so that a webhook which is slow or hostile gets in nobody's way but its own.
 */
import { type Clock, systemClock } from "../../clock.ts";
import { ServiceError } from "../../errors.ts";
import { longerThan } from "../../text-size.ts";
import { createConduct } from "./conduct.ts";
import { createDispatch, type Job } from "./dispatch.ts";
import { placeless, type TransformError, type TransformJob, type TransformOutcome } from "./outcome.ts";
import { createSchedule, type Pace } from "./schedule.ts";
import type { Item } from "./thread.ts";
import type { VmStats } from "./transform-vm.ts";

export interface SandboxOptions {
  /** Threads at most: one for webhooks that behave, the others for slow ones. Each is started when it is needed. */
  workers?: number;
  /** Time that one call may take, compiling included when it is the first. */
  deadlineMs?: number;
  /** Memory that one call may take. */
  memoryBytes?: number;
  /** A thread that had nothing to do for so long is ended. */
  idleMs?: number;
  clock?: Clock;
  observer?: SandboxObserver;
}

export interface SandboxObserver {
  /** @param result `returned`, or the kind of the error */
  ended(result: "returned" | TransformError["kind"], durationMs: number): void;
}

export interface Sandbox {
  /**
   * Call the transform of a webhook. Nothing remains of the call: the next one finds globals, prototypes and variables
   * as they were after the code was loaded. What loading logs is kept only when it fails. What it returns is written as JSON.stringify writes it: NaN and Infinity
   * become null, functions and symbols in objects are left out; BigInt, cycles, and a function or symbol by itself end
   * as `result`, as do more than 5,000 events, 200 levels or 4 MiB.
   * @throws ServiceError `unavailable` with `retry_after` when too much waits already, no thread can be had, or the sandbox is closed;
   * `payload_too_large` when source or input are
   */
  run(job: TransformJob): Promise<TransformOutcome>;
  /**
   * Load a source without calling it: compile it, run its top level, look for its function.
   * @returns what is wrong, with its place; null when it could be called
   * @throws ServiceError as `run` does
   */
  check(source: string): Promise<TransformError | null>;
  /** Calls that wait or run. */
  backlog(): number;
  stats(): SandboxStats;
  /** End all threads. What waits is rejected as `unavailable`. */
  close(): Promise<void>;
}

export interface SandboxStats {
  waiting: number;
  running: number;
  /** One entry for each living thread, as of its last report. */
  threads: (VmStats | null)[];
}

export const MAX_SOURCE_BYTES = 256 * 1024;
/** Of each of event, headers, query parameters and body: 4 MiB of a body as base64, with room. */
const MAX_INPUT_BYTES = 8 * 1024 * 1024;

/** Jobs that may wait, in all and of one webhook. */
const MAX_WAITING = 10_000;
const MAX_WAITING_OF_ONE = 2_000;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const MAX_WAITING_BYTES_OF_ONE = 16 * 1024 * 1024;

/** The lane of checks: not the id of a webhook. */
const CHECKS = "\0checks";

/**
 * @example
 * const sandbox = createSandbox();
 * const outcome = await sandbox.run({ webhookId: "wh_1", version: 1, source, evt: "{}", headers: "{}", queryParams: "{}", raw: "" });
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { workers = 2, deadlineMs = 1_000, memoryBytes = 64 * 1024 * 1024, idleMs = 60_000 } = options;
  const { clock = systemClock, observer } = options;
  const schedule = createSchedule<Job>();
  const conduct = createConduct(clock);
  let closed = false;
  let checks = 0;

  const end = (job: Job, outcome: TransformOutcome) => {
    const kind = outcome.status === "failed" ? outcome.error.kind : null;
    if (job.lane !== CHECKS) observer?.ended(kind ?? "returned", outcome.durationMs);
    job.resolve(outcome);
  };

  const finished = (job: Job, outcome: TransformOutcome) => {
    const { lane, version } = job;
    const kind = outcome.status === "failed" ? outcome.error.kind : null;
    // A code that is checked was not saved yet: what it does is held against nobody.
    conduct.ended(lane, version, lane === CHECKS ? null : kind, outcome.durationMs);
    schedule.move(lane, paceOf(lane));
    end(job, outcome);
    if (kind !== null && conduct.pausedUntil(lane, version) !== null) refuseThrottled(lane);
  };

  const notRun = (job: Job, error: Error) => {
    conduct.notCalled(job.lane);
    const sentence = `Transforms cannot be run right now: ${error.message}`.slice(0, 500);
    job.reject(new ServiceError("unavailable", sentence, { retry_after: 5 }));
  };

  /** What still waits of a webhook that is throttled from now on. */
  const refuseThrottled = (lane: string) => {
    const kept: Job[] = [];
    for (const job of schedule.empty(lane)) {
      const until = conduct.pausedUntil(lane, job.version);
      if (until === null) kept.push(job);
      else end(job, throttled(until));
    }
    for (const job of kept) schedule.add(lane, paceOf(lane), job, job.bytes);
  };

  /** Each check is of a code that nothing is known of. */
  const paceOf = (lane: string): Pace => {
    const pace = conduct.paceOf(lane);
    return lane === CHECKS && pace === "fast" ? "new" : pace;
  };

  const dispatch = createDispatch({
    schedule,
    conduct,
    paceOf,
    finished,
    notRun,
    clock,
    limits: { deadlineMs, memoryBytes },
    threads: workers,
    idleMs,
  });

  const enqueue = (
    lane: string,
    version: number,
    source: string,
    input: Item["input"],
    bytes: number,
  ): Promise<TransformOutcome> => {
    const { count, bytes: laneBytes } = schedule.waiting(lane);
    const full =
      schedule.count() >= MAX_WAITING ||
      count >= MAX_WAITING_OF_ONE ||
      schedule.bytes() + bytes > MAX_WAITING_BYTES ||
      laneBytes + bytes > MAX_WAITING_BYTES_OF_ONE;
    if (full) {
      const sentence = "More transforms wait than can be run right now. Send it again shortly.";
      return Promise.reject(new ServiceError("unavailable", sentence, { retry_after: 1 }));
    }
    if (lane !== CHECKS) {
      const until = conduct.admit(lane, version);
      if (until !== null) {
        observer?.ended("throttled", 0);
        return Promise.resolve(throttled(until));
      }
    }
    return new Promise((resolve, reject) => {
      const key = lane === CHECKS ? `${lane}\0${++checks}` : `${lane}\0${version}`;
      schedule.add(lane, paceOf(lane), { key, source, input, lane, version, bytes, resolve, reject }, bytes);
      dispatch.pump();
    });
  };

  const refusal = (source: string, inputs: readonly string[]): ServiceError | null => {
    if (closed) return new ServiceError("unavailable", CLOSED, { retry_after: 1 });
    if (longerThan(source, MAX_SOURCE_BYTES)) {
      return new ServiceError("payload_too_large", "A transform may have 256 KiB of source.");
    }
    return inputs.some((text) => longerThan(text, MAX_INPUT_BYTES))
      ? new ServiceError("payload_too_large", "The request is too large for a transform: it may have 8 MiB.")
      : null;
  };

  return {
    async run({ webhookId, version, source, evt, headers, queryParams, raw }) {
      const refused = refusal(source, [evt, headers, queryParams, raw]);
      if (refused !== null) throw refused;
      const bytes = evt.length + headers.length + queryParams.length + raw.length;
      return enqueue(webhookId, version, source, { evt, headers, queryParams, raw }, bytes);
    },
    async check(source) {
      const refused = refusal(source, []);
      if (refused !== null) throw refused;
      const outcome = await enqueue(CHECKS, 0, source, null, source.length);
      return outcome.status === "failed" ? outcome.error : null;
    },
    backlog: () => schedule.count() + dispatch.running(),
    stats: () => ({ waiting: schedule.count(), running: dispatch.running(), threads: dispatch.threads() }),
    async close() {
      if (closed) return;
      closed = true;
      const left = await dispatch.close();
      for (const job of left) job.reject(new ServiceError("unavailable", CLOSED, { retry_after: 1 }));
    },
  };
}

const CLOSED = "The service is stopping.";

function throttled(until: number): TransformOutcome {
  const sentence =
    "The last calls of this transform all ran out of time or memory or broke down, so it is not called until " +
    `${new Date(until).toISOString()}. A change of the code takes effect at once.`;
  return {
    status: "failed",
    error: placeless("throttled", "ThrottledError", sentence),
    logs: [],
    durationMs: 0,
  };
}
