/**
 * Shows runs as running in the store, but only those whose call takes its time: for the others the end of the call
 * says it all, and a write is saved on each.
 */
import type { Clock } from "../clock.ts";
import type { Logger } from "../observe/log.ts";
import type { Store } from "../store/store.ts";
import type { PendingItem, RunState } from "./run-state.ts";

/** A call longer than this is worth a write of its own, ms. */
const SLOW_MS = 250;

export interface SlowCallMarker {
  began(state: RunState, item: PendingItem): void;
  ended(item: PendingItem): void;
  stop(): void;
}

export function createSlowCallMarker(store: Store, clock: Clock, logger: Logger): SlowCallMarker {
  /** Calls under way whose run may still be stored as queued, oldest first. */
  const unmarked = new Map<PendingItem, RunState>();
  let cancelTimer: (() => void) | undefined;

  const mark = () => {
    cancelTimer = undefined;
    const now = clock.now();
    const byEnv = new Map<string, [string, number][]>();
    for (const [item, state] of unmarked) {
      if (item.call === null || now - item.call.startedAt < SLOW_MS) break;
      unmarked.delete(item);
      const runs = byEnv.get(state.env) ?? [];
      byEnv.set(state.env, runs);
      runs.push([state.runId, item.call.startedAt]);
    }
    for (const [env, runs] of byEnv) {
      store.execute("markRunning", { env, runs }).catch((error) => {
        logger.debug("runs could not be shown as running", { error });
      });
    }
    arm();
  };
  const arm = () => {
    if (cancelTimer === undefined && unmarked.size > 0) cancelTimer = clock.after(SLOW_MS, mark);
  };

  return {
    began(state, item) {
      // Once a step is stored the run is stored as running, too.
      if (state.steps.size > 0) return;
      unmarked.set(item, state);
      arm();
    },
    ended: (item) => unmarked.delete(item),
    stop() {
      cancelTimer?.();
      unmarked.clear();
    },
  };
}
