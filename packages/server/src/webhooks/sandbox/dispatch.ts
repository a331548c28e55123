/**
 * Which job goes to which thread, and when. Threads are started when they are needed and ended when they are idle or do
 * not come back. However many webhooks are slow, one thread is kept free of them.
 */
import type { Clock } from "../../clock.ts";
import type { Conduct } from "./conduct.ts";
import { placeless, type TransformOutcome } from "./outcome.ts";
import { compileEngine } from "./quickjs.ts";
import { type RealmLimits, timedOut } from "./realm.ts";
import type { Pace, Schedule } from "./schedule.ts";
import { type Item, startThread, type Thread } from "./thread.ts";
import type { VmStats } from "./transform-vm.ts";

export interface Job extends Item {
  /** Webhook whose turn it takes. */
  lane: string;
  version: number;
  bytes: number;
  resolve(outcome: TransformOutcome): void;
  reject(error: unknown): void;
}

export interface DispatchParts {
  schedule: Schedule<Job>;
  conduct: Pick<Conduct, "averageMs" | "tookLong">;
  paceOf(lane: string): Pace;
  /** A job came to its end. Called for each job exactly once, unless `notRun` is or `close` returns it. */
  finished(job: Job, outcome: TransformOutcome): void;
  /** There is no engine or no thread to run it. */
  notRun(job: Job, error: Error): void;
  clock: Clock;
  limits: RealmLimits;
  threads: number;
  idleMs: number;
}

export interface Dispatch {
  /** Something waits, or has ended: give out what can be given out, at the end of this turn of the event loop. */
  pump(): void;
  /** Jobs with threads. */
  running(): number;
  threads(): (VmStats | null)[];
  /** End all threads. @returns the jobs that are left */
  close(): Promise<Job[]>;
}

/** A place for a thread. */
interface Room {
  thread: Thread<Job> | null;
  /** Slow webhooks are at work in it. */
  slow: boolean;
  /** The job it was given of a webhook that nothing is known of: one at a time. */
  newJob: Job | null;
  idleSince: number;
}

/** Work given to a thread in advance, by what its webhooks take on average: it should not wait for messages, and others not for it. */
const AHEAD_MS = 10;
/** What a fast webhook takes, about, where the jobs at hand are not looked at one by one. */
const AVERAGE_FAST_MS = 0.3;

/** How often threads are looked after while they work, and while they do not. */
const LOOK_MS = 25;
const IDLE_LOOK_MS = 1_000;
/** A job that runs for so long gives up the jobs behind it to another thread. */
const LATE_MS = 50;
/** A thread that does not come back so long after the deadline is ended. */
const GRACE_MS = 500;

export function createDispatch(parts: DispatchParts): Dispatch {
  const { schedule, conduct, paceOf, clock, limits, idleMs } = parts;
  const rooms: Room[] = Array.from({ length: parts.threads }, () => ({
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
  let newIsNext = false;
  let slowIsNext = false;

  /** A job is not with a thread any longer. */
  const left = (job: Job) => {
    for (const room of rooms) if (room.newJob === job) room.newJob = null;
  };

  const finished = (job: Job, outcome: TransformOutcome) => {
    left(job);
    parts.finished(job, outcome);
    pump();
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
    for (const room of rooms) room.slow = isLate(room) || (room.slow && atHand(room) > 0);
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

  const atHand = ({ thread }: Room) => thread?.atHand() ?? 0;
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
    if (atHand(room) > 0) return;
    const job = newIsNext
      ? (schedule.take("new") ?? schedule.take("slow"))
      : (schedule.take("slow") ?? schedule.take("new"));
    newIsNext = !newIsNext;
    if (job === undefined) return;
    room.slow = true;
    give(room, threadOf(room), [job]);
  };

  /** The only thread: slow jobs one by one, in turns with all others. */
  const fillAlone = (room: Room) => {
    if (atHand(room) > 0) {
      if (!room.slow && !slowIsNext) fillAhead(room, true);
      return;
    }
    const slow = schedule.count("slow");
    const pickSlow = slow > 0 && (slowIsNext || schedule.count() === slow);
    slowIsNext = !pickSlow && slow > 0;
    if (pickSlow) fillOne(room);
    else fillAhead(room, true);
  };

  const give = (room: Room, thread: Thread<Job>, jobs: readonly Job[]) => {
    if (jobs.length === 0) return;
    room.idleSince = clock.now();
    thread.offer(jobs);
  };

  const threadOf = (room: Room): Thread<Job> => {
    if (room.thread !== null) return room.thread;
    const thread = startThread<Job>({ module: engine!, ...limits }, finished, (error) => {
      if (error === null) retire(room, thread);
      else replace(room, thread, error);
    });
    room.thread = thread;
    room.idleSince = clock.now();
    return thread;
  };

  const compile = async () => {
    if (compiling) return;
    compiling = true;
    try {
      engine = await compileEngine();
    } catch (error) {
      for (const job of takeAll()) parts.notRun(job, error as Error);
    } finally {
      compiling = false;
      pump();
    }
  };

  const takeAll = (): Job[] => {
    const jobs: Job[] = [];
    for (const pace of ["fast", "new", "slow"] as const) {
      for (let job = schedule.take(pace); job !== undefined; job = schedule.take(pace)) jobs.push(job);
    }
    return jobs;
  };

  /** End a thread; the job that it ran fails, the others go to its successor. */
  const replace = (room: Room, thread: Thread<Job>, error: Error | null) => {
    if (room.thread !== thread || closed) return;
    room.thread = null;
    const { running, others } = thread.kill();
    if (running !== null) {
      putBack(others);
      finished(running, error === null ? notComeBack(limits) : crashed(error));
    } else {
      // It ended before it had begun anything; the next one would do the same with the same jobs.
      for (const job of others) {
        left(job);
        parts.notRun(job, error ?? new Error("The thread did nothing."));
      }
      pump();
    }
  };

  /** End a thread that can do no more; all that it has goes to its successor. */
  const retire = (room: Room, thread: Thread<Job>) => {
    if (room.thread !== thread || closed) return;
    room.thread = null;
    const { running, others } = thread.kill();
    putBack(running === null ? others : [running, ...others]);
    pump();
  };

  /** Threads are looked after often while they work, and now and then while they do not. */
  const lookAgain = () => {
    const living = rooms.some(({ thread }) => thread !== null);
    const working = rooms.some((room) => atHand(room) > 0);
    if (!living || (nextLook !== null && (nextLook.soon || !working))) return;
    nextLook?.takeBack();
    nextLook = { soon: working, takeBack: clock.after(working ? LOOK_MS : IDLE_LOOK_MS, look) };
  };

  const look = () => {
    nextLook = null;
    if (closed) return;
    const now = performance.now();
    for (const room of rooms) {
      const { thread } = room;
      if (thread === null) continue;
      const running = thread.running(now);
      if (running !== null && running.ms >= limits.deadlineMs + GRACE_MS) replace(room, thread, null);
      else if (running !== null && running.ms >= LATE_MS) {
        conduct.tookLong(running.item.lane);
        schedule.move(running.item.lane, paceOf(running.item.lane));
        putBack(thread.withdraw());
      } else if (thread.atHand() > 0) room.idleSince = clock.now();
      else if (clock.now() - room.idleSince >= idleMs) stopIdle(room);
    }
    distribute();
  };

  const stopIdle = (room: Room) => {
    room.thread?.kill();
    room.thread = null;
    if (rooms.every(({ thread }) => thread === null)) engine = null;
  };

  return {
    pump,
    running: () => rooms.reduce((sum, room) => sum + atHand(room), 0),
    threads: () => rooms.flatMap(({ thread }) => (thread === null ? [] : [thread.stats()])),
    async close() {
      closed = true;
      nextLook?.takeBack();
      const jobs = takeAll();
      for (const { thread } of rooms) {
        if (thread === null) continue;
        const { running, others, ended } = thread.kill();
        jobs.push(...others);
        if (running !== null) jobs.push(running);
        await ended;
      }
      for (const room of rooms) room.thread = null;
      return jobs;
    },
  };
}

function notComeBack(limits: RealmLimits): TransformOutcome {
  return { status: "failed", error: timedOut(limits), logs: [], durationMs: limits.deadlineMs + GRACE_MS };
}

function crashed(error: Error): TransformOutcome {
  const sentence = `The thread of the transform broke down: ${error.message}`.slice(0, 500);
  return { status: "failed", error: placeless("crashed", "Error", sentence), logs: [], durationMs: 0 };
}
