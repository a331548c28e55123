/**
 * The executor carries runs forward: it takes what is due, calls the app, decides what the answer changes, and has
 * that made durable before anything follows from it. State lives in two places only: the lanes (what is due soon)
 * and the cache (what the runs being worked on look like).
 */
import { ServiceError } from "../errors.ts";
import type { RegisteredFunction } from "../registry/registry.ts";
import type { AcceptedEvent, PlannedRun } from "../store/commands/accept-events.ts";
import { type Answer, noAnswer, readAnswer } from "./answer.ts";
import { callRequest, newRequestId } from "./call-request.ts";
import { createCommitter } from "./commit.ts";
import { decideAnswer, decideWithoutCall } from "./decide.ts";
import { type DraftContext, RUN_LIMITS } from "./draft.ts";
import type { ExecutorParts } from "./executor-parts.ts";
import { createLane, type Lane, type LaneItem } from "./lane.ts";
import { retryDelay } from "./retry-delay.ts";
import { isFinished, newRunState, type PendingItem, type RunState, restoreRunState } from "./run-state.ts";
import { createSlowCallMarker } from "./slow-calls.ts";
import { createStateCache, type StateCache } from "./state-cache.ts";

/** Idle run states kept in memory, bytes. */
const CACHE_BYTES = 48 * 1024 * 1024;

export interface Executor {
  /** Take up the work the store holds. */
  start(): Promise<void>;
  /** An event was committed with the runs it starts. */
  accepted(env: string, event: AcceptedEvent): void;
  /** A run was committed by itself (a rerun). */
  created(env: string, run: PlannedRun): void;
  /** The state of a run, from memory or the store; null when there is no such run. */
  state(env: string, runId: string): Promise<RunState | null>;
  /** The call a queue-item token belongs to, if it is under way here. */
  current(env: string, runId: string, itemId: string, requestId: string): DraftContext | null;
  commit: ReturnType<typeof createCommitter>["commit"];
  /** End a run from outside. @returns false when it has ended already */
  cancel(env: string, runId: string, reason: { name: string; message: string }): Promise<boolean>;
  /** Cancel the unfinished runs of archived functions. */
  cancelOrphans(): Promise<void>;
  /** Whether a call of this run is under way. */
  isRunning(runId: string): boolean;
  /** Items due that wait in memory, and calls under way. */
  load(): { due: number; calls: number };
  /** Start no more calls, wait for those under way at most this long (ms), then hand them back. */
  stop(graceMs: number): Promise<void>;
}

/** Make the executor; nothing runs before `start`. */
export function createExecutor(parts: ExecutorParts): Executor {
  const { store, registry, caller, clock, config, logger, observer } = parts;
  const cache: StateCache = createStateCache(CACHE_BYTES);
  const lanes = new Map<string, Lane>();
  /** Loads under way, by environment and run. */
  const loading = new Map<string, Promise<RunState | null>>();
  /** Items that wait for the call of the function as a whole that is under way, by run. */
  const behindCall = new Map<string, LaneItem[]>();
  const underWay = new Set<PendingItem>();
  const idle = new Set<() => void>();
  const slowCalls = createSlowCallMarker(store, clock, logger);
  let stopping = false;

  const lane = (env: string, appId: string): Lane => {
    const key = `${env}/${appId}`;
    let found = lanes.get(key);
    if (found === undefined) {
      found = createLane({
        env,
        appId,
        store,
        clock,
        concurrency: config.appConcurrency,
        start: (item, freeSlot) => work(env, item, freeSlot),
        onError: (error) => logger.error("work on a run failed", { error }),
      });
      if (stopping) found.stop();
      lanes.set(key, found);
    }
    return found;
  };

  const offer = (
    env: string,
    appId: string,
    runId: string,
    item: Pick<PendingItem, "id" | "kind" | "due_at">,
  ) => lane(env, appId).offer({ runId, id: item.id, kind: item.kind, dueAt: item.due_at });

  const accepted = (env: string, event: AcceptedEvent) => {
    for (const run of event[6] ?? []) {
      const [runId, functionId, appId, dueAt] = run;
      if (cache.get(runId) === undefined) {
        cache.keep(newRunState(env, runId, functionId, appId, dueAt, event), { optional: true });
      }
      created(env, run);
    }
  };

  const created = (env: string, [runId, , appId, dueAt]: PlannedRun) => {
    observer.runStarted();
    offer(env, appId, runId, { id: runId, kind: "call", due_at: dueAt });
  };

  const committer = createCommitter(parts, {
    cache,
    offer,
    accepted,
    resume: (state) => {
      const waiting = behindCall.get(state.runId);
      // A planned step that ends beside the call they wait for does not free them.
      if (waiting === undefined || callOfFunctionUnderWay(state)) return;
      behindCall.delete(state.runId);
      if (state.ended) return;
      // Not in this turn: until it ends the lane may still count them as being worked on, and take no offer of them.
      setImmediate(() => {
        for (const item of waiting) lane(state.env, state.appId).offer(item);
      });
    },
  });

  const load = (env: string, runId: string): Promise<RunState | null> => {
    const cached = cache.get(runId);
    if (cached !== undefined) return Promise.resolve(cached.env === env ? cached : null);
    const key = `${env}/${runId}`;
    let pending = loading.get(key);
    if (pending === undefined) {
      pending = store
        .query("runState", { env, runId }, "runs")
        .then((stored) => {
          // A write or another load may have been faster; there is one state of a run, ever.
          const state = cache.get(runId) ?? (stored === null ? null : restoreRunState(stored));
          if (state !== null && !state.ended) cache.keep(state, { optional: false });
          return state;
        })
        .finally(() => loading.delete(key));
      loading.set(key, pending);
    }
    return pending;
  };

  const work = async (env: string, ref: LaneItem, freeSlot: () => void): Promise<void> => {
    const state = cache.get(ref.runId) ?? (await load(env, ref.runId));
    const item = state?.items.get(ref.id);
    if (state === null || state === undefined || item === undefined || state.ended || item.call !== null)
      return;
    // A stop may have come while the state was read: nobody would wait for a call begun now.
    if (stopping) return;
    const fn = registry.find(env, state.functionId);
    if (fn === undefined) {
      await cancel(env, state.runId, functionGone(state.functionId));
      return;
    }
    const context = contextOf(state, item, fn);
    // A parallel step may have been reported before its call broke: the app has nothing left to run for it.
    if (item.kind === "sleep" || (item.step_id !== "step" && isFinished(state, item.step_id))) {
      await committer.commit(context, decideWithoutCall(context), { keepItem: false });
      return;
    }
    if (item.step_id === "step" && callOfFunctionUnderWay(state)) {
      // The lane finds the item again every half minute.
      const waiting = behindCall.get(state.runId) ?? [];
      if (!waiting.some(({ id }) => id === ref.id)) behindCall.set(state.runId, [...waiting, ref]);
      return;
    }
    const answer = await call(context, fn);
    if (answer === null || state.ended) return;
    if (answer.requestVersion !== null) state.requestVersion = answer.requestVersion;
    const isHeldUp = committer.isHeldUp();
    const stored = committer.commit(context, decideAnswer(context, answer), { keepItem: false });
    // Not before the answer is in the state: a sleep of this run that begins its end with the free slot would take this
    // call for one still to come. While the store takes nothing, the slot is free once the outcome is stored.
    if (!isHeldUp) freeSlot();
    await stored;
  };

  /** Call the app; null when the call was aborted and its item is to be called again later. */
  const call = async (context: DraftContext, fn: RegisteredFunction): Promise<Answer | null> => {
    const { state, item } = context;
    const requestId = newRequestId();
    const startedAt = clock.now();
    const abort = new AbortController();
    item.call = { requestId, startedAt, abort };
    item.reported = false;
    context.startedAt = startedAt;
    underWay.add(item);
    slowCalls.began(state, item);
    const began = performance.now();
    let answer: Answer;
    try {
      const request = callRequest(state, item, fn, requestId, {
        serverKind: config.mode === "dev" ? "dev" : "cloud",
        signingKey: parts.signingKey(state.env),
        now: startedAt,
        environment: parts.environmentName(state.env),
      });
      const response = await caller.post(request.url, request.headers, request.body, abort.signal);
      answer = readAnswer(response, clock.now(), fn.dialect);
    } catch (error) {
      answer = noAnswer(error as Error);
    } finally {
      item.call = null;
      underWay.delete(item);
      slowCalls.ended(item);
      if (underWay.size === 0) for (const tell of idle) tell();
    }
    context.now = clock.now();
    if (abort.signal.aborted) return null;
    observer.called(answer.kind, (performance.now() - began) / 1000);
    return answer;
  };

  const contextOf = (state: RunState, item: PendingItem, fn: RegisteredFunction): DraftContext => ({
    state,
    item,
    fn,
    now: clock.now(),
    startedAt: item.call?.startedAt ?? null,
    limits: { ...RUN_LIMITS, stepsPerRun: config.maxStepsPerRun },
    nextId: () => parts.nextId(clock.now()),
    retryAt: (attempt) => clock.now() + retryDelay(attempt, config.retryBaseMs, Math.random()),
  });

  const cancel: Executor["cancel"] = async (env, runId, reason) => {
    const state = await load(env, runId);
    if (state === null) throw new ServiceError("not_found", "There is no such run.");
    return committer.end(state, { status: "cancelled", output: null, error: JSON.stringify(reason) });
  };

  return {
    async start() {
      for (const { env, id } of await store.query("appIds", {}, "runs")) lane(env, id);
      // On a full disk they stay; those that come due are cancelled then.
      await this.cancelOrphans().catch((error) => {
        logger.error("runs of removed functions remain", { error });
      });
    },
    accepted,
    created,
    state: load,
    current(env, runId, itemId, requestId) {
      const state = cache.get(runId);
      const item = state?.items.get(itemId);
      if (state === undefined || state.env !== env || item?.call?.requestId !== requestId) return null;
      const fn = registry.find(env, state.functionId);
      return fn === undefined ? null : contextOf(state, item, fn);
    },
    commit: committer.commit,
    cancel,
    async cancelOrphans() {
      for (;;) {
        const orphans = await store.query("orphanedRuns", { limit: 500 }, "runs");
        let cancelled = 0;
        for (const { env, id } of orphans) {
          const state = await load(env, id);
          if (state !== null && (await cancel(env, id, functionGone(state.functionId)))) cancelled++;
        }
        if (cancelled === 0) return;
      }
    },
    isRunning(runId) {
      const items = cache.get(runId)?.items.values() ?? [];
      for (const item of items) if (item.call !== null) return true;
      return false;
    },
    load() {
      let due = 0;
      for (const each of lanes.values()) due += each.depth();
      return { due, calls: underWay.size };
    },
    async stop(graceMs) {
      stopping = true;
      for (const each of lanes.values()) each.stop();
      if (underWay.size > 0) {
        await new Promise<void>((resolve) => {
          idle.add(resolve);
          clock.after(graceMs, resolve);
        });
      }
      // What is still under way is handed back: its item stays in the store and is called again after the restart.
      for (const item of underWay) item.call?.abort.abort();
      slowCalls.stop();
      await committer.settled();
    },
  };
}

function callOfFunctionUnderWay(state: RunState): boolean {
  for (const item of state.items.values()) if (item.step_id === "step" && item.call !== null) return true;
  return false;
}

function functionGone(functionId: string) {
  return {
    name: "FunctionRemoved",
    message: `The function ${functionId} is no longer part of its app, so its unfinished runs were cancelled.`,
  };
}
