/** Makes drafts durable, and lets follow from them what follows: next calls, events, the end of a run. */
import { ServiceError } from "../errors.ts";
import type { AcceptedEvent } from "../store/commands/accept-events.ts";
import type { RunEnd, Transition } from "../store/commands/apply-transition.ts";
import { applyToState, type Draft, type DraftContext } from "./draft.ts";
import type { ExecutorParts } from "./executor-parts.ts";
import { lifecycleEvent } from "./lifecycle-events.ts";
import { runLogs } from "./log-lines.ts";
import { planRuns } from "./plan.ts";
import type { PendingItem, RunState } from "./run-state.ts";
import type { StateCache } from "./state-cache.ts";

/** Pause between tries to write what a full or unreachable store refused, ms. */
const REWRITE_MS = 500;

export interface CommitLinks {
  cache: StateCache;
  offer(env: string, appId: string, runId: string, item: PendingItem): void;
  accepted(env: string, event: AcceptedEvent): void;
  /** The call of the function as a whole has ended, or the run has: what waited for that may go on. */
  resume(state: RunState): void;
}

export function createCommitter(parts: ExecutorParts, links: CommitLinks) {
  const { store, registry, clock, logger, observer } = parts;
  const pending = new Set<Promise<unknown>>();
  /** Writes that wait for the store to recover. */
  let heldUp = 0;
  /** The last such write of each run: what comes after it waits, or the end of a run would overtake its steps. */
  const heldUpOf = new Map<string, Promise<void>>();
  let closing = false;

  /**
   * Write a draft. The state changes at once, so that outcomes that arrive meanwhile build on it; what follows from
   * it happens after the commit.
   * @returns false when the item was gone: nothing was changed
   */
  const commit = (context: DraftContext, draft: Draft, options: { keepItem: boolean }): Promise<boolean> => {
    const { state, item, now, startedAt } = context;
    const keepItem = options.keepItem && draft.end === null;
    const emit = draft.end === null ? [] : lifecycleEvents(state, draft.end, now);
    const transition: Transition = {
      env: state.env,
      runId: state.runId,
      appId: state.appId,
      functionId: state.functionId,
      now,
      item: item.id,
      keepItem,
      startedAt,
      requestVersion: state.requestVersion,
      steps: draft.steps,
      failedAttempts: draft.failedAttempts,
      enqueue: draft.enqueue,
      end: draft.end,
      emit,
      logs: runLogs(draft.logs, item.attempt),
    };
    applyToState(draft, context, keepItem);
    return track(write(state, transition, draft, emit));
  };

  const write = async (state: RunState, transition: Transition, draft: Draft, emit: AcceptedEvent[]) => {
    state.writes++;
    try {
      const written = await untilStored(state, () => store.execute("applyTransition", transition));
      if (!written) {
        links.cache.drop(state.runId);
        return false;
      }
    } catch (error) {
      // The store refuses this very transition: the run must not hang on it for ever.
      links.cache.drop(state.runId);
      if (closing) return false;
      logger.error("a run could not be carried forward", { run: state.runId, error });
      const reason = {
        name: "InternalError",
        message: "The service could not store the outcome of this step.",
      };
      await endStored(state, { status: "failed", output: null, error: JSON.stringify(reason) });
      return false;
    } finally {
      state.writes--;
    }
    if (transition.end !== null) ended(state, transition.end, emit);
    // It has grown: an idle state must not take more room than the cache counts for it.
    else if (!state.ended) links.cache.keep(state, { optional: false });
    for (const next of draft.enqueue)
      links.offer(state.env, state.appId, state.runId, { ...next, call: null });
    if (!transition.keepItem) links.resume(state);
    return true;
  };

  /** End a run from outside its calls; aborts those under way. @returns false when it has ended already */
  const end = (state: RunState, how: RunEnd): Promise<boolean> => track(endStored(state, how));

  const endStored = async (state: RunState, how: RunEnd): Promise<boolean> => {
    const now = clock.now();
    const emit = lifecycleEvents(state, how, now);
    const { env, runId } = state;
    // A call begun meanwhile must be begun on this very state, or nothing would break it off.
    state.writes++;
    try {
      if (!(await store.execute("endRun", { env, runId, now, end: how, emit }))) return false;
    } finally {
      state.writes--;
    }
    state.ended = true;
    for (const item of state.items.values()) item.call?.abort.abort();
    state.items.clear();
    ended(state, how, emit);
    links.resume(state);
    return true;
  };

  const ended = (state: RunState, how: RunEnd, emit: AcceptedEvent[]) => {
    links.cache.drop(state.runId);
    observer.runEnded(how.status);
    for (const event of emit) {
      observer.emitted(state.env, state.functionId, event);
      links.accepted(state.env, event);
    }
  };

  const lifecycleEvents = (state: RunState, how: RunEnd, now: number): AcceptedEvent[] => {
    const event = lifecycleEvent(state, how, registry.dialectOf(state.env, state.appId));
    if (event === null) return [];
    const { name, data } = event;
    const id = parts.nextId(now);
    const runs = planRuns(registry, state.env, { id, name, ts: now, data, extra: null }, now, parts.nextId);
    return [[id, name, now, null, data, null, runs]];
  };

  /** A store that can write nothing now may recover (a disk with room again): the outcome is kept till then. */
  const untilStored = async <T>({ runId }: RunState, attempt: () => Promise<T>): Promise<T> => {
    if (heldUpOf.has(runId)) await heldUpOf.get(runId);
    let recovered: PromiseWithResolvers<void> | null = null;
    try {
      for (;;) {
        try {
          return await attempt();
        } catch (error) {
          if (closing || !(error instanceof ServiceError) || error.code !== "unavailable") throw error;
          if (recovered === null) {
            heldUp++;
            recovered = Promise.withResolvers();
            // Several of a run may be refused together: they are tried again in their order, one after the other.
            const before = heldUpOf.get(runId);
            heldUpOf.set(runId, recovered.promise);
            await before;
          }
          await new Promise<void>((resolve) => clock.after(REWRITE_MS, resolve));
        }
      }
    } finally {
      if (recovered !== null) {
        heldUp--;
        recovered.resolve();
        if (heldUpOf.get(runId) === recovered.promise) heldUpOf.delete(runId);
      }
    }
  };

  const track = <T>(work: Promise<T>): Promise<T> => {
    pending.add(work);
    return work.finally(() => pending.delete(work));
  };

  return {
    commit,
    end,
    /** Whether the store takes nothing now: each further call would only add an outcome to those that wait. */
    isHeldUp: () => heldUp > 0,
    /** Resolves when nothing is on its way to the store any more. */
    async settled() {
      closing = true;
      while (pending.size > 0) await Promise.allSettled(pending);
    },
  };
}
