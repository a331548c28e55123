/**
 * A lane holds what is due for one app: in memory what is due soon, the rest stays in the store until its time
 * comes near. Each app has its own, so a slow app with a long backlog delays nobody else.
 */
import type { Clock } from "../clock.ts";
import type { QueueItem } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { createDueHeap, type Due } from "./due-heap.ts";

export interface LaneItem extends Due {
  runId: string;
  kind: QueueItem["kind"];
}

export interface Lane {
  /** Items that were just committed. */
  offer(item: LaneItem): void;
  /** Take nothing more. */
  stop(): void;
  depth(): number;
}

export interface LaneOptions {
  env: string;
  appId: string;
  store: Store;
  clock: Clock;
  /** Calls under way at once. */
  concurrency: number;
  /**
   * Work on an item that is due. `freeSlot` makes room for the next call; the promise ends when the item has been
   * dealt with, durably.
   */
  start(item: LaneItem, freeSlot: () => void): Promise<void>;
  onError(error: unknown): void;
  /** Items held in memory at most. */
  capacity?: number;
}

/** Items due within this time are held in memory; every half of it the store is asked for more. */
const HORIZON_MS = 60_000;
const LOAD_EVERY_MS = HORIZON_MS / 2;
const PAGE = 1_000;

/** Make a lane and begin to load what the store holds for it. */
export function createLane(options: LaneOptions): Lane {
  const { store, clock, env, appId, concurrency } = options;
  const capacity = options.capacity ?? 20_000;
  const heap = createDueHeap<LaneItem>();
  /** Everything in the heap or being worked on. */
  const known = new Set<string>();
  let calls = 0;
  let stopped = false;
  /** The store may hold items due before `heldUntil` that are not in memory. */
  let behind = false;
  let heldUntil = 0;
  let loading = false;
  /** Finished since the load under way began: its pages may still show them. */
  const finished = new Set<string>();
  let disarm: (() => void) | undefined;
  let armedFor = Number.POSITIVE_INFINITY;

  const key = (item: LaneItem) => `${item.runId}/${item.id}`;

  const hold = (item: LaneItem): boolean => {
    if (item.dueAt > heldUntil) return true; // A later load will find it.
    if (known.has(key(item))) return true;
    // A quarter is for what is due now: items of the next minute must not keep it waiting.
    if (heap.size >= (item.dueAt <= clock.now() ? capacity : (capacity * 3) / 4)) return false;
    known.add(key(item));
    heap.push(item);
    return true;
  };

  /** Whether the clock is further than timers bring it between two loads: it was put ahead, or a load took that long. */
  const isOutrun = () => heldUntil < clock.now() + HORIZON_MS - LOAD_EVERY_MS;

  const load = async () => {
    if (loading || stopped) return;
    loading = true;
    const until = clock.now() + HORIZON_MS;
    // From here on offers up to `until` are held, so that nothing falls between them and the pages read below.
    heldUntil = until;
    behind = false;
    try {
      for (let after = { dueAt: -1, id: "" }; ; ) {
        const page = await store.query("dueItems", { env, appId, after, until, limit: PAGE }, "runs");
        if (stopped) return;
        for (const item of page) {
          const { run_id: runId, id, due_at: dueAt, kind } = item;
          if (finished.has(`${runId}/${id}`)) continue;
          if (!hold({ runId, id, dueAt, kind })) behind = true;
        }
        const last = page.at(-1);
        if (behind || last === undefined || page.length < PAGE) break;
        after = { dueAt: last.due_at, id: last.id };
        pump();
      }
    } catch (error) {
      behind = true;
      if (!stopped) options.onError(error);
    } finally {
      loading = false;
      finished.clear();
    }
    pump();
    // What was offered meanwhile and is due after `until` is not held.
    if (isOutrun()) void load();
  };

  const work = (item: LaneItem) => {
    let holdsSlot = item.kind === "call";
    if (holdsSlot) calls++;
    const freeSlot = () => {
      if (!holdsSlot) return;
      holdsSlot = false;
      calls--;
      pump();
    };
    options
      .start(item, freeSlot)
      .catch(options.onError)
      .finally(() => {
        known.delete(key(item));
        if (loading) finished.add(key(item));
        freeSlot();
        if (behind && heap.size <= capacity / 2) void load();
      });
  };

  const pump = () => {
    if (stopped) return;
    const now = clock.now();
    for (let next = heap.peek(); next !== undefined && next.dueAt <= now; next = heap.peek()) {
      if (next.kind === "call" && calls >= concurrency) return; // A slot that frees pumps again.
      heap.pop();
      work(next);
    }
    arm();
  };

  /** Wake when the next item is due. */
  const arm = () => {
    const next = heap.peek();
    if (next === undefined || next.dueAt >= armedFor) return;
    disarm?.();
    armedFor = next.dueAt;
    // A clock that was put back makes it far; a timer of more than 24 days would end at once, again and again.
    const wait = Math.min(Math.max(1, next.dueAt - clock.now()), HORIZON_MS);
    disarm = clock.after(wait, () => {
      armedFor = Number.POSITIVE_INFINITY;
      pump();
    });
  };

  let cancelSweep = () => {};
  const sweep = () => {
    cancelSweep = clock.after(LOAD_EVERY_MS, sweep);
    void load();
  };
  sweep();

  return {
    offer(item) {
      if (stopped) return;
      // Timers do not see that the clock was put ahead; what is due now must not wait for the next of them.
      if (item.dueAt > heldUntil && isOutrun()) void load();
      if (!hold(item)) behind = true;
      else if (item.dueAt <= heldUntil) pump();
    },
    stop() {
      stopped = true;
      disarm?.();
      cancelSweep();
    },
    depth: () => heap.size,
  };
}
