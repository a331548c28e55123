/** An engine with an empty store for each test, and what tests put into it. */
import { afterEach, beforeEach } from "node:test";
import { createUlidGenerator } from "@svc/protocol";
import type { AcceptEventsArgs, AcceptedEvent, PlannedRun } from "../../src/store/commands/accept-events.ts";
import type { Author } from "../../src/store/commands/record-change.ts";
import type { Store } from "../../src/store/store.ts";

/** Gives an empty store; `discard` closes it and leaves nothing behind. */
export type OpenStore = () => Promise<{ store: Store; discard(): Promise<void> }>;

export const DAY = 86_400_000;
/** When tests begin. */
export const T0 = 1_700_000_000_000;
/** After all there is. */
export const FAR = Number.MAX_SAFE_INTEGER;

/** To be called within a `describe`: it opens a store before each of its tests. */
export function engineUnderTest(open: OpenStore) {
  let store: Store;
  let discard: () => Promise<void>;
  const nextId = createUlidGenerator();

  beforeEach(async () => {
    ({ store, discard } = await open());
  });
  afterEach(() => discard());

  const event = (fields: Partial<{ id: string; name: string; dedup: string; runs: PlannedRun[] }> = {}) =>
    [
      fields.id ?? nextId(T0),
      fields.name ?? "shop/order.created",
      T0,
      fields.dedup ?? null,
      '{"n":1}',
      null,
      fields.runs ?? null,
    ] satisfies AcceptedEvent;
  const accept = (events: AcceptedEvent[], more: Partial<AcceptEventsArgs> = {}) =>
    store.execute("acceptEvents", {
      env: "dev",
      now: T0,
      source: "key",
      sourceName: null,
      events,
      seeded: false,
      ...more,
    });
  const queued = async (until = FAR) =>
    (
      await store.query("dueItems", {
        env: "dev",
        appId: "app",
        after: { dueAt: -1, id: "" },
        until,
        limit: 100,
      })
    ).map((item) => item.id);
  const stateOf = (runId: string, env = "dev") => store.query("runState", { env, runId });
  const startRun = async (runId = nextId(T0)) => {
    const started = event({ runs: [[runId, "app-fn", "app", T0]] });
    await accept([started]);
    return { runId, eventId: started[0] };
  };
  const author = (now = T0): Author => ({
    auditId: nextId(now),
    now,
    kind: "user",
    id: "u1",
    name: "Ada",
    address: "192.0.2.1",
  });

  return {
    /** The store of this test. */
    get store() {
      return store;
    },
    nextId,
    event,
    accept,
    /** Ids of items that are due until then, in order. */
    queued,
    stateOf,
    /** Accept an event that starts a run. */
    startRun,
    /** Somebody who changes something now. */
    author,
  };
}
