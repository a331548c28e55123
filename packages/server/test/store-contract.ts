/** What every engine of the store must do. An engine without this suite does not exist. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { createUlidGenerator } from "@svc/protocol";
import type { AcceptEventsArgs, AcceptedEvent, PlannedRun } from "../src/store/commands/accept-events.ts";
import type { StepWrite, Transition } from "../src/store/commands/apply-transition.ts";
import type { Store } from "../src/store/store.ts";
import { webhookContract } from "./webhook-contract.ts";

const DAY = 86_400_000;
const T0 = 1_700_000_000_000;
const FAR = Number.MAX_SAFE_INTEGER;

/** Run the suite on an engine. `open` gives an empty store. */
export function storeContract(
  engine: string,
  open: () => Promise<{ store: Store; discard(): Promise<void> }>,
) {
  describe(`the store on ${engine}`, () => {
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
    const transition = (runId: string, fields: Partial<Transition> = {}): Transition => ({
      env: "dev",
      runId,
      appId: "app",
      functionId: "app-fn",
      now: T0 + 10,
      item: runId,
      keepItem: false,
      startedAt: T0 + 5,
      requestVersion: 2,
      steps: [],
      failedAttempts: [],
      enqueue: [],
      end: null,
      emit: [],
      ...fields,
    });
    const step = (fields: Partial<StepWrite> = {}): StepWrite => ({
      id: "a".repeat(40),
      name: "first",
      op: "StepRun",
      status: "completed",
      position: 0,
      input: null,
      output: "1",
      error: null,
      queued_at: T0,
      started_at: T0,
      ended_at: T0 + 1,
      wakes_at: null,
      ...fields,
    });

    test("a repeated request whose events are here claims no deduplication id anew", async () => {
      const sent = event({ dedup: "order-1" });
      await accept([sent], { seeded: true });
      // The window is over: the request comes once more, and then another event of that id.
      const repeated = await accept([sent], { seeded: true, now: T0 + DAY });
      assert.deepEqual(repeated, [[0, sent[0]]]);
      assert.equal(await accept([event({ dedup: "order-1" })], { now: T0 + DAY + 1 }), null);
    });

    test("a run is not created for an event that is gone", async () => {
      const run: PlannedRun = [nextId(T0), "app-fn", "app", T0];
      assert.equal(await store.execute("createRun", { env: "dev", eventId: "gone", now: T0, run }), false);
      assert.deepEqual(await queued(), []);
      const { eventId } = await startRun();
      assert.equal(await store.execute("createRun", { env: "dev", eventId, now: T0, run }), true);
    });

    test("an accepted event is stored with its run and the run's first queue item", async () => {
      const { runId, eventId } = await startRun();
      const state = await stateOf(runId);
      assert.equal(state?.event.id, eventId);
      assert.equal(state?.run.status, "queued");
      assert.deepEqual(await queued(), [runId]);
    });

    test("a later event with the same id is ignored and answered with the first one's id", async () => {
      const first = event({ dedup: "order-1" });
      assert.equal(await accept([first]), null);
      const second = event({
        dedup: "order-1",
        name: "another/name",
        runs: [[nextId(T0), "app-fn", "app", T0]],
      });
      assert.deepEqual(await accept([second], { now: T0 + 1 }), [[0, first[0]]]);
      assert.deepEqual(await queued(), []);
    });

    test("two equal ids inside one batch: the first one wins", async () => {
      const [a, b, c] = [event({ dedup: "x" }), event({ dedup: "x" }), event()];
      assert.deepEqual(await accept([a, b, c]), [[1, a[0]]]);
    });

    test("concurrent requests with one id store one event", async () => {
      const results = await Promise.all(Array.from({ length: 50 }, () => accept([event({ dedup: "same" })])));
      assert.equal(results.filter((result) => result === null).length, 1);
      assert.equal(new Set(results.flatMap((result) => result ?? []).map(([, id]) => id)).size, 1);
    });

    test("an id is free again exactly 24 hours after the first event with it", async () => {
      const first = event({ dedup: "x" });
      await accept([first]);
      // A duplicate in between does not prolong the window.
      await accept([event({ dedup: "x" })], { now: T0 + DAY - 1000 });
      assert.deepEqual(await accept([event({ dedup: "x" })], { now: T0 + DAY - 1 }), [[0, first[0]]]);
      assert.equal(await accept([event({ dedup: "x" })], { now: T0 + DAY }), null);
    });

    test("the same id in another environment is another id", async () => {
      await accept([event({ dedup: "x" })]);
      assert.equal(await accept([event({ dedup: "x" })], { env: "production" }), null);
    });

    test("an event whose id the sender fixed is stored once", async () => {
      const seeded = event();
      assert.equal(await accept([seeded], { seeded: true }), null);
      assert.deepEqual(await accept([seeded], { seeded: true }), [[0, seeded[0]]]);
    });

    test("one bad event in a batch keeps the whole batch out, and nobody else's", async () => {
      const fine = event();
      const bad = event();
      (bad as unknown[])[4] = null; // data must not be null
      const results = await Promise.allSettled([
        accept([event({ dedup: "in-bad-batch" }), bad]),
        accept([fine]),
      ]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ["rejected", "fulfilled"],
      );
      assert.equal(await accept([event({ dedup: "in-bad-batch" })]), null);
      assert.deepEqual(await accept([fine], { seeded: true }), [[0, fine[0]]]);
    });

    test("a transition writes steps and next items and takes its item", async () => {
      const { runId } = await startRun();
      const next = { id: nextId(T0), kind: "call" as const, step_id: "step", attempt: 0, due_at: T0 + 50 };
      assert.equal(
        await store.execute("applyTransition", transition(runId, { steps: [step()], enqueue: [next] })),
        true,
      );
      assert.deepEqual(await queued(), [next.id]);
      const state = await stateOf(runId);
      assert.equal(state?.run.status, "running");
      assert.equal(state?.run.request_version, 2);
      assert.equal(state?.steps[0]?.output, "1");
    });

    test("a transition whose item is gone changes nothing", async () => {
      const { runId } = await startRun();
      await store.execute(
        "applyTransition",
        transition(runId, { end: { status: "completed", output: "1", error: null } }),
      );
      const late = transition(runId, {
        steps: [step()],
        end: { status: "failed", output: null, error: "{}" },
        emit: [event()],
      });
      assert.equal(await store.execute("applyTransition", late), false);
      const state = await stateOf(runId);
      assert.equal(state?.run.status, "completed");
      assert.equal(state?.steps.length, 0);
    });

    test("a checkpoint keeps its item and counts its attempts anew", async () => {
      const { runId } = await startRun();
      const again = { id: nextId(T0), kind: "call" as const, step_id: "step", attempt: 3, due_at: T0 };
      await store.execute("applyTransition", transition(runId, { enqueue: [again] }));
      await store.execute(
        "applyTransition",
        transition(runId, { item: again.id, keepItem: true, steps: [step()] }),
      );
      assert.deepEqual(
        (await stateOf(runId))?.queue.map(({ id, attempt }) => [id, attempt]),
        [[again.id, 0]],
      );
    });

    test("the end of a run empties its queue and stores the events that tell of it with their runs", async () => {
      const { runId } = await startRun();
      const listener = nextId(T0);
      const told = event({ name: "svc/function.finished", runs: [[listener, "app-listener", "app", T0]] });
      await store.execute(
        "applyTransition",
        transition(runId, { end: { status: "completed", output: '"ok"', error: null }, emit: [told] }),
      );
      assert.deepEqual(await queued(), [listener]);
      const state = await stateOf(listener);
      assert.equal(state?.event.source_kind, "service");
      assert.equal((await stateOf(runId))?.run.output, '"ok"');
    });

    test("ending a run that has ended says so", async () => {
      const { runId } = await startRun();
      const end = { status: "cancelled" as const, output: null, error: null };
      const args = { env: "dev", runId, now: T0, end, emit: [] };
      assert.equal(await store.execute("endRun", args), true);
      assert.equal(await store.execute("endRun", args), false);
      assert.deepEqual(await queued(), []);
    });

    test("due items come in the order they are due, page by page, for one app", async () => {
      const runs = [30, 10, 20].map((after): PlannedRun => [nextId(T0), "app-fn", "app", T0 + after]);
      await accept([event({ runs: [...runs, [nextId(T0), "other-fn", "other", T0]] })]);
      assert.deepEqual(await queued(T0 + 20), [runs[1]![0], runs[2]![0]]);
      const first = await store.query("dueItems", {
        env: "dev",
        appId: "app",
        after: { dueAt: -1, id: "" },
        until: FAR,
        limit: 1,
      });
      const { due_at: dueAt, id } = first[0]!;
      const rest = await store.query("dueItems", {
        env: "dev",
        appId: "app",
        after: { dueAt, id },
        until: FAR,
        limit: 9,
      });
      assert.deepEqual(
        [...first, ...rest].map((item) => item.due_at - T0),
        [10, 20, 30],
      );
    });

    test("old deduplication ids are removed a step at a time", async () => {
      await accept(["a", "b", "c"].map((dedup) => event({ dedup })));
      const expire = (now: number) => store.execute("expireDeduplication", { now, limit: 2 });
      assert.equal(await expire(T0 + DAY - 1), 0);
      assert.deepEqual([await expire(T0 + DAY), await expire(T0 + DAY), await expire(T0 + DAY)], [2, 1, 0]);
    });

    test("purging removes old events with their finished runs and keeps those with a run in flight", async () => {
      const done = await startRun();
      const inFlight = await startRun();
      await store.execute(
        "applyTransition",
        transition(done.runId, { steps: [step()], end: { status: "completed", output: "1", error: null } }),
      );
      await accept([event()], { now: T0 + 1000 });
      const purge = (after: { receivedAt: number; id: string }) =>
        store.execute("purge", { env: "dev", before: T0 + 500, limit: 1, after });
      let result = await purge({ receivedAt: -1, id: "" });
      let events = result.events;
      while (result.next !== null) {
        result = await purge(result.next);
        events += result.events;
      }
      assert.equal(events, 1);
      assert.equal(await stateOf(done.runId), null);
      assert.equal((await stateOf(inFlight.runId))?.run.status, "queued");
    });

    test("unfinished runs of archived functions are found, others are not", async () => {
      await startRun();
      assert.deepEqual(await store.query("orphanedRuns", { limit: 10 }), []);
    });

    test("environments are those that hold events", async () => {
      await accept([event()], { env: "production" });
      await accept([event(), event()]);
      assert.deepEqual(await store.query("environments", {}), ["dev", "production"]);
      assert.equal(await store.query("oldestEvent", { env: "dev" }), T0);
      assert.equal(await store.query("oldestEvent", { env: "none" }), null);
    });

    test("after closing, commands and queries are refused as unavailable", async () => {
      await store.close();
      await assert.rejects(accept([event()]), { code: "unavailable" });
      await assert.rejects(stateOf("x"), { code: "unavailable" });
    });

    test("commands given before closing are made durable by it", async () => {
      const work = Array.from({ length: 500 }, () => accept([event()]));
      const closing = store.close();
      await Promise.all([...work, closing]);
    });
  });
  webhookContract(engine, open);
}
