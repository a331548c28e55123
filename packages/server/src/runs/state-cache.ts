/** Run states in memory, bounded in bytes. A state that is not here is read from the store. */
import { type RunState, stateBytes } from "./run-state.ts";

export interface StateCache {
  get(runId: string): RunState | undefined;
  /** Keep a state if there is room, or it is being worked on. */
  keep(state: RunState, options: { optional: boolean }): void;
  drop(runId: string): void;
}

/** Make a cache that keeps about `maxBytes` of idle states. */
export function createStateCache(maxBytes: number): StateCache {
  const states = new Map<string, { state: RunState; bytes: number }>();
  let total = 0;

  const drop = (runId: string) => {
    const entry = states.get(runId);
    if (entry === undefined) return;
    states.delete(runId);
    total -= entry.bytes;
  };
  const isBusy = (state: RunState) => {
    if (state.writes > 0) return true;
    for (const item of state.items.values()) if (item.call !== null) return true;
    return false;
  };
  const makeRoom = (needed: number) => {
    // Bounded look: when the oldest hundred are all busy, the cache may grow past its size for a while.
    let looked = 0;
    for (const [runId, { state }] of states) {
      if (total + needed <= maxBytes || ++looked > 100) return;
      if (!isBusy(state)) drop(runId);
    }
  };

  return {
    get: (runId) => states.get(runId)?.state,
    keep(state, { optional }) {
      const bytes = stateBytes(state);
      if (optional && total + bytes > maxBytes) return;
      drop(state.runId);
      makeRoom(bytes);
      states.set(state.runId, { state, bytes });
      total += bytes;
    },
    drop,
  };
}
