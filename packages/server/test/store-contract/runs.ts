/** What every engine of the store must do with runs: the item of the queue is the token, and a transition is written whole or not at all. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { PlannedRun } from "../../src/store/commands/accept-events.ts";
import { engineUnderTest, FAR, type OpenStore, T0 } from "./engine-under-test.ts";
import { step, transition } from "./transition.ts";

export function runContract(engineName: string, open: OpenStore) {
  describe(`runs in the store on ${engineName}`, () => {
    const engine = engineUnderTest(open);
    const { event, accept, queued, stateOf, startRun, nextId } = engine;

    test("a transition writes steps and next items and takes its item", async () => {
      const { runId } = await startRun();
      const next = { id: nextId(T0), kind: "call" as const, step_id: "step", attempt: 0, due_at: T0 + 50 };
      assert.equal(
        await engine.store.execute(
          "applyTransition",
          transition(runId, { steps: [step()], enqueue: [next] }),
        ),
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
      await engine.store.execute(
        "applyTransition",
        transition(runId, { end: { status: "completed", output: "1", error: null } }),
      );
      const late = transition(runId, {
        steps: [step()],
        end: { status: "failed", output: null, error: "{}" },
        emit: [event()],
      });
      assert.equal(await engine.store.execute("applyTransition", late), false);
      const state = await stateOf(runId);
      assert.equal(state?.run.status, "completed");
      assert.equal(state?.steps.length, 0);
    });

    test("a checkpoint keeps its item and counts its attempts anew", async () => {
      const { runId } = await startRun();
      const again = { id: nextId(T0), kind: "call" as const, step_id: "step", attempt: 3, due_at: T0 };
      await engine.store.execute("applyTransition", transition(runId, { enqueue: [again] }));
      await engine.store.execute(
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
      await engine.store.execute(
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
      assert.equal(await engine.store.execute("endRun", args), true);
      assert.equal(await engine.store.execute("endRun", args), false);
      assert.deepEqual(await queued(), []);
    });

    test("due items come in the order they are due, page by page, for one app", async () => {
      const runs = [30, 10, 20].map((after): PlannedRun => [nextId(T0), "app-fn", "app", T0 + after]);
      await accept([event({ runs: [...runs, [nextId(T0), "other-fn", "other", T0]] })]);
      assert.deepEqual(await queued(T0 + 20), [runs[1]![0], runs[2]![0]]);
      const first = await engine.store.query("dueItems", {
        env: "dev",
        appId: "app",
        after: { dueAt: -1, id: "" },
        until: FAR,
        limit: 1,
      });
      const { due_at: dueAt, id } = first[0]!;
      const rest = await engine.store.query("dueItems", {
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

    test("unfinished runs of archived functions are found, others are not", async () => {
      await startRun();
      assert.deepEqual(await engine.store.query("orphanedRuns", { limit: 10 }), []);
    });

    test("purging removes old events with their finished runs and keeps those with a run in flight", async () => {
      const done = await startRun();
      const inFlight = await startRun();
      await engine.store.execute(
        "applyTransition",
        transition(done.runId, { steps: [step()], end: { status: "completed", output: "1", error: null } }),
      );
      await accept([event()], { now: T0 + 1000 });
      const purge = (after: { receivedAt: number; id: string }) =>
        engine.store.execute("purge", { env: "dev", before: T0 + 500, limit: 1, after });
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
  });
}
