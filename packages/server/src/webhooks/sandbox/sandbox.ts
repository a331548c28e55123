/**
 * The transforms of webhooks, run where they can harm nothing: in QuickJS, in threads of their own, within bounds of
 * time, memory and size, and so that a webhook which is slow or hostile gets in nobody's way but its own.
 */
import { type Clock, systemClock } from "../../clock.ts";
import { ServiceError } from "../../errors.ts";
import { longerThan } from "../../text-size.ts";
import { createConduct } from "./conduct.ts";
import { placeless, type TransformError, type TransformJob, type TransformOutcome } from "./outcome.ts";
import { compileEngine } from "./quickjs.ts";
import { timedOut } from "./realm.ts";
import { createSchedule, type Pace } from "./schedule.ts";
import { type Item, startThread, type Thread } from "./thread.ts";
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
   * as they were after the code was loaded. What it returns is written as JSON.stringify writes it: NaN and Infinity
   * become null, functions and symbols in objects are left out; BigInt, cycles, and a function or symbol by itself end
   * as `result`, as do more than 5,000 events, 200 levels or 4 MiB.
   * @throws ServiceError `unavailable` when too much waits already (with `retry_after`) or the sandbox is closed;
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
/** Of each of event, headers, query parameters and body. */
export const MAX_INPUT_BYTES = 512 * 1024;

/** Jobs that may wait, in all and of one webhook. */
const MAX_WAITING = 10_000;
const MAX_WAITING_OF_ONE = 2_000;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const MAX_WAITING_BYTES_OF_ONE = 16 * 1024 * 1024;

/** Work given to a thread in advance, by what its webhooks take on average: it should not wait for messages, and others not for it. */
const AHEAD_MS = 10;

/** How often threads are looked after while they work. */
const LOOK_MS = 25;
/** And while they do not. */
const IDLE_LOOK_MS = 1_000;
/** A job that runs for so long gives up the jobs behind it to another thread. */
const LATE_MS = 50;
/** A thread that does not come back so long after the deadline is ended. */
const GRACE_MS = 500;

/** The lane of checks: not the id of a webhook. */
const CHECKS = "\0checks";

interface Job extends Item {
  lane: string;
  version: number;
  bytes: number;
  resolve(outcome: TransformOutcome): void;
  reject(error: unknown): void;
}

interface Room {
  thread: Thread<Job> | null;
  /** Slow webhooks are at work in it. */
  slow: boolean;
  /** The job it was given of a webhook that nothing is known of: one at a time. */
  newJob: Job | null;
  idleSince: number;
}

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
  const rooms: Room[] = Array.from({ length: workers }, () => ({
    thread: null,
    slow: false,
    newJob: null,
    idleSince: 0,
  }));
  /** Compiled with the first job, dropped with the last thread. */
  let engine: WebAssembly.Module | null = null;
  let compiling = false;
  let closed = false;
  let pumping = false;
  let nextLook: { soon: boolean; takeBack(): void } | null = null;
  let checks = 0;

  const end = (job: Job, outcome: TransformOutcome) => {
    const kind = outcome.status === "failed" ? outcome.error.kind : null;
    if (job.lane !== CHECKS) observer?.ended(kind ?? "returned", outcome.durationMs);
    job.resolve(outcome);
  };

  /** A job is not with a thread any longer. */
  const left = (job: Job) => {
    for (const room of rooms) if (room.newJob === job) room.newJob = null;
  };

  const finished = (job: Job, outcome: TransformOutcome) => {
    const { lane, version } = job;
    left(job);
    const kind = outcome.status === "failed" ? outcome.error.kind : null;
    conduct.ended(lane, version, lane === CHECKS ? null : kind, outcome.durationMs);
    schedule.move(lane, paceOf(lane));
    end(job, outcome);
    if (kind === "timeout" || kind === "memory") refuseThrottled(lane);
    pump();
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

  /** To the front of their lanes, in their old order. */
  const putBack = (jobs: readonly Job[]) => {
    for (const job of jobs.toReversed()) {
      left(job);
      schedule.add(job.lane, paceOf(job.lane), job, job.bytes, true);
    }
  };

  const pump = () => {
    if (pumping || closed) return;
    pumping = true;
    // After everything of this turn has come in, so that it goes to the thread in one message.
    setImmediate(() => {
      pumping = false;
      if (!closed) distribute();
    });
  };

  const distribute = () => {
    if (schedule.count() > 0 && engine === null) return void compile();
    for (const room of rooms) {
      room.slow = isLate(room) || (room.slow && (room.thread?.atHand() ?? 0) > 0);
    }
    const quick = rooms.find(({ slow }) => !slow);
    if (rooms.length === 1) fillAlone(rooms[0]!);
    else if (quick !== undefined) {
      const someSlow = schedule.count("slow") > 0 || rooms.some(({ slow }) => slow);
      // As long as nobody is slow there is no need for a second thread; then one stays free of slow and new webhooks.
      fillAhead(quick, !someSlow);
      if (someSlow) for (const room of rooms) if (room !== quick) fillOne(room);
    }
    lookAgain();
  };

  /** Threads are looked after often while they work, and now and then while they do not. */
  const lookAgain = () => {
    const living = rooms.some(({ thread }) => thread !== null);
    const working = rooms.some(({ thread }) => (thread?.atHand() ?? 0) > 0);
    if (!living || (nextLook !== null && (nextLook.soon || !working))) return;
    nextLook?.takeBack();
    nextLook = { soon: working, takeBack: clock.after(working ? LOOK_MS : IDLE_LOOK_MS, look) };
  };

  const isLate = ({ thread }: Room) => (thread?.running(performance.now())?.ms ?? 0) >= LATE_MS;

  /** Fast jobs, some ms of work ahead; behind them one of a webhook that nothing is known of, if that may be. */
  const fillAhead = (room: Room, andNew: boolean) => {
    const wanted = schedule.count("fast") + (andNew ? schedule.count("new") : 0);
    if (wanted === 0 || isLate(room)) return;
    const thread = threadOf(room);
    const jobs: Job[] = [];
    let aheadMs = thread.atHand() * AVERAGE_FAST_MS;
    while (jobs.length < thread.free() && aheadMs < AHEAD_MS) {
      const job = schedule.take("fast");
      if (job === undefined) break;
      aheadMs += conduct.averageMs(job.lane);
      jobs.push(job);
    }
    if (andNew && room.newJob === null && jobs.length < thread.free()) {
      const job = schedule.take("new");
      if (job !== undefined) {
        jobs.push(job);
        room.newJob = job;
      }
    }
    give(room, thread, jobs);
  };

  /** One job that may take long: of slow and of new webhooks in turns. */
  const fillOne = (room: Room) => {
    if (room.thread !== null && room.thread.atHand() > 0) return;
    const job = newIsNext
      ? (schedule.take("new") ?? schedule.take("slow"))
      : (schedule.take("slow") ?? schedule.take("new"));
    newIsNext = !newIsNext;
    if (job === undefined) return;
    room.slow = true;
    give(room, threadOf(room), [job]);
  };
  let newIsNext = false;

  /** The only thread: slow jobs one by one, in turns with all others. */
  const fillAlone = (room: Room) => {
    const quick = schedule.count("fast") + schedule.count("new");
    if ((room.thread?.atHand() ?? 0) > 0) {
      if (!room.slow && !slowIsNext) fillAhead(room, true);
      return;
    }
    const slow = schedule.count("slow");
    const pickSlow = slow > 0 && (slowIsNext || quick === 0);
    slowIsNext = !pickSlow && slow > 0;
    if (pickSlow) fillOne(room);
    else fillAhead(room, true);
  };
  let slowIsNext = false;

  const give = (room: Room, thread: Thread<Job>, jobs: readonly Job[]) => {
    if (jobs.length === 0) return;
    room.idleSince = clock.now();
    thread.offer(jobs);
  };

  const threadOf = (room: Room): Thread<Job> => {
    if (room.thread !== null) return room.thread;
    const data = { module: engine!, deadlineMs, memoryBytes };
    const thread = startThread<Job>(data, finished, (error) => replace(room, thread, error));
    room.thread = thread;
    room.idleSince = clock.now();
    return thread;
  };

  const takeAny = () => schedule.take("fast") ?? schedule.take("new") ?? schedule.take("slow");

  const compile = async () => {
    if (compiling) return;
    compiling = true;
    try {
      engine = await compileEngine();
    } catch (error) {
      for (let job = takeAny(); job !== undefined; ) {
        job.reject(error);
        job = takeAny();
      }
    } finally {
      compiling = false;
      pump();
    }
  };

  /** End a thread; the job that it ran fails, the others go to its successor. */
  const replace = (room: Room, thread: Thread<Job>, error: Error | null) => {
    if (room.thread !== thread) return;
    room.thread = null;
    room.newJob = null;
    const { running, others } = thread.kill();
    if (running === null && error !== null && others.length > 0) {
      // It ended without having begun anything: the next thread would do the same.
      for (const job of others) end(job, crashed(error));
    } else putBack(others);
    if (running === null) return pump();
    const outcome: TransformOutcome =
      error === null
        ? {
            status: "failed",
            error: timedOut({ deadlineMs, memoryBytes }),
            logs: [],
            durationMs: deadlineMs + GRACE_MS,
          }
        : crashed(error);
    finished(running, outcome);
  };

  const look = () => {
    nextLook = null;
    if (closed) return;
    const now = performance.now();
    for (const room of rooms) {
      const { thread } = room;
      if (thread === null) continue;
      const running = thread.running(now);
      if (running !== null && running.ms >= deadlineMs + GRACE_MS) replace(room, thread, null);
      else if (running !== null && running.ms >= LATE_MS) {
        conduct.tookLong(running.item.lane);
        schedule.move(running.item.lane, "slow");
        putBack(thread.withdraw());
      } else if (thread.atHand() > 0) room.idleSince = clock.now();
      else if (clock.now() - room.idleSince >= idleMs && thread.free() > 0) stopIdle(room);
    }
    distribute();
  };

  const stopIdle = (room: Room) => {
    room.thread?.kill();
    room.thread = null;
    if (rooms.every(({ thread }) => thread === null) && schedule.count() === 0) engine = null;
  };

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
      pump();
    });
  };

  const refusal = (source: string, inputs: readonly string[]): ServiceError | null => {
    if (closed) return new ServiceError("unavailable", CLOSED, { retry_after: 1 });
    if (longerThan(source, MAX_SOURCE_BYTES)) {
      return new ServiceError("payload_too_large", "A transform may have 256 KiB of source.");
    }
    return inputs.some((text) => longerThan(text, MAX_INPUT_BYTES))
      ? new ServiceError(
          "payload_too_large",
          "The request is too large for a transform: it may have 512 KiB.",
        )
      : null;
  };

  return {
    async run({ webhookId, version, source, evt, headers, queryParams, raw }) {
      const refused = refusal(source, [evt, headers, queryParams, raw]);
      if (refused !== null) throw refused;
      const bytes = source.length + evt.length + headers.length + queryParams.length + raw.length;
      return enqueue(webhookId, version, source, { evt, headers, queryParams, raw }, bytes);
    },
    async check(source) {
      const refused = refusal(source, []);
      if (refused !== null) throw refused;
      const outcome = await enqueue(CHECKS, 0, source, null, source.length);
      return outcome.status === "failed" ? outcome.error : null;
    },
    backlog: () => schedule.count() + rooms.reduce((sum, { thread }) => sum + (thread?.atHand() ?? 0), 0),
    stats: () => ({
      waiting: schedule.count(),
      running: rooms.reduce((sum, { thread }) => sum + (thread?.atHand() ?? 0), 0),
      threads: rooms.flatMap(({ thread }) => (thread === null ? [] : [thread.stats()])),
    }),
    async close() {
      if (closed) return;
      closed = true;
      nextLook?.takeBack();
      const rest: Job[] = [];
      for (let job = takeAny(); job !== undefined; ) {
        rest.push(job);
        job = takeAny();
      }
      for (const room of rooms) {
        if (room.thread === null) continue;
        const { running, others, ended } = room.thread.kill();
        rest.push(...others, ...(running === null ? [] : [running]));
        room.thread = null;
        await ended;
      }
      for (const job of rest) job.reject(new ServiceError("unavailable", CLOSED, { retry_after: 1 }));
    },
  };
}

/** What a fast webhook takes, about, when the jobs at hand are not looked at one by one. */
const AVERAGE_FAST_MS = 0.3;

const CLOSED = "The service is stopping.";

function throttled(until: number): TransformOutcome {
  const sentence =
    "The last calls of this transform all ran out of time or memory, so it is not called until " +
    `${new Date(until).toISOString()}. A change of the code takes effect at once.`;
  return {
    status: "failed",
    error: placeless("throttled", "ThrottledError", sentence),
    logs: [],
    durationMs: 0,
  };
}

function crashed(error: Error): TransformOutcome {
  const sentence = `The thread of the transform broke down: ${error.message}`.slice(0, 500);
  return { status: "failed", error: placeless("crashed", "Error", sentence), logs: [], durationMs: 0 };
}
