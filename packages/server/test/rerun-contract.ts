/** What every engine of the store must do when a run is repeated. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { createUlidGenerator } from "@svc/protocol";
import type { FailedAttempt, StepWrite, Transition } from "../src/store/commands/apply-transition.ts";
import type { KeptSteps } from "../src/store/commands/create-run.ts";
import type { Store } from "../src/store/store.ts";

const T0 = 1_700_000_000_000;
const LATER = T0 + 60_000;

/** Run the suite on an engine. `open` gives an empty store. */
export function rerunContract(
  engine: string,
  open: () => Promise<{ store: Store; discard(): Promise<void> }>,
) {
  describe(`reruns on ${engine}`, () => {
    let store: Store;
    let discard: () => Promise<void>;
    let old: string;
    let eventId: string;
    const nextId = createUlidGenerator();

    beforeEach(async () => {
      ({ store, discard } = await open());
      [eventId, old] = [nextId(T0), nextId(T0)];
      await store.execute("acceptEvents", {
        env: "dev",
        now: T0,
        source: "key",
        sourceName: null,
        events: [[eventId, "shop/order.created", T0, null, "{}", null, [[old, "app-fn", "app", T0]]]],
        seeded: false,
      });
    });
    afterEach(() => discard());

    const step = (id: string, position: number | null, fields: Partial<StepWrite> = {}): StepWrite => ({
      id,
      name: `the ${id}`,
      op: "StepRun",
      status: position === null ? "planned" : "completed",
      position,
      input: null,
      output: position === null ? null : `"${id}"`,
      error: null,
      queued_at: T0,
      started_at: T0 + 1,
      ended_at: position === null ? null : T0 + 2,
      wakes_at: null,
      ...fields,
    });
    const write = (fields: Partial<Transition>) =>
      store.execute("applyTransition", {
        env: "dev",
        runId: old,
        appId: "app",
        functionId: "app-fn",
        now: T0 + 10,
        item: old,
        keepItem: false,
        startedAt: T0 + 5,
        requestVersion: 2,
        steps: [],
        failedAttempts: [],
        enqueue: [],
        end: { status: "failed", output: null, error: "{}" },
        emit: [],
        ...fields,
      });
    const attempt = (stepId: string): FailedAttempt => ({
      id: nextId(T0),
      stepId,
      stepName: `the ${stepId}`,
      attempt: 0,
      error: "{}",
      timing: null,
    });
    const rerun = async (keep: KeptSteps, env = "dev") => {
      const id = nextId(LATER);
      const outcome = await store.execute("createRun", {
        env,
        rerunOf: old,
        keep,
        now: LATER,
        run: [id, "app-fn", "app", LATER],
      });
      return { id, outcome };
    };
    const keptBy = async (keep: KeptSteps) => {
      const { id, outcome } = await rerun(keep);
      assert.equal(outcome, "created");
      const state = (await store.query("runState", { env: "dev", runId: id }))!;
      assert.equal(state.run.kept_steps, state.steps.length);
      return state.steps
        .sort((a, b) => a.position! - b.position!)
        .map(({ id, status, position }) => `${position} ${id} ${status}`);
    };

    test("a run that is repeated from its start takes nothing over and says what it repeats", async () => {
      await write({ steps: [step("a", 0)] });
      const { id, outcome } = await rerun("none");
      assert.equal(outcome, "created");
      const state = (await store.query("runState", { env: "dev", runId: id }))!;
      assert.deepEqual(state.steps, []);
      assert.equal(state.event.id, eventId);
      assert.deepEqual(
        state.queue.map(({ id, kind, step_id }) => [id, kind, step_id]),
        [[id, "call", "step"]],
      );
      const { status, attempts, request_version, queued_at, rerun_of, kept_steps } = state.run;
      assert.deepEqual(
        [status, attempts, request_version, queued_at, rerun_of, kept_steps],
        ["queued", 0, -1, LATER, old, 0],
      );
    });

    test("a run that its event has started repeats none", async () => {
      const { run } = (await store.query("runState", { env: "dev", runId: old }))!;
      assert.deepEqual([run.rerun_of, run.kept_steps], [null, 0]);
    });

    test("from a step on, what had finished before it is taken over, failures too", async () => {
      const failed = step("b", 1, { status: "failed", output: null, error: '{"message":"no"}' });
      await write({ steps: [step("a", 0), failed, step("c", 2), step("d", 3), step("e", null)] });
      assert.deepEqual(await keptBy({ before: "c" }), ["0 a completed", "1 b failed"]);
      assert.deepEqual(await keptBy({ before: "a" }), []);
    });

    test("from a step on that has not finished, all that have are taken over", async () => {
      await write({
        steps: [step("a", 0), step("b", 1), step("waiting", null)],
        failedAttempts: [attempt("retried"), attempt("b")],
      });
      const all = ["0 a completed", "1 b completed"];
      assert.deepEqual(await keptBy({ before: "waiting" }), all);
      assert.deepEqual(await keptBy({ before: "retried" }), all);
      // It failed once and then finished: it is known by both.
      assert.deepEqual(await keptBy({ before: "b" }), ["0 a completed"]);
    });

    test("with what completed kept, failures are left out and places have no gaps", async () => {
      const failed = step("b", 1, { status: "failed", output: null, error: "{}" });
      await write({ steps: [step("a", 0), failed, step("c", 2), step("d", null)] });
      assert.deepEqual(await keptBy("completed"), ["0 a completed", "1 c completed"]);
    });

    test("what is taken over has its outcome, its name and no times of its own", async () => {
      await write({ steps: [step("a", 0, { op: "Sleep", output: null, wakes_at: T0 + 2 }), step("b", 1)] });
      const { id } = await rerun("completed");
      const { steps, run } = (await store.query("runState", { env: "dev", runId: id }))!;
      const times = { queued_at: LATER, started_at: null, ended_at: LATER, wakes_at: null };
      assert.deepEqual(
        steps.sort((a, b) => a.position! - b.position!).map((step) => ({ ...step })),
        [
          { env: "dev", run_id: id, ...step("a", 0, { op: "Sleep", output: null }), ...times },
          { env: "dev", run_id: id, ...step("b", 1), ...times },
        ],
      );
      assert.equal(run.request_version, 2);
    });

    test("a step that the run does not know creates nothing", async () => {
      await write({ steps: [step("a", 0)] });
      const { id, outcome } = await rerun({ before: "nowhere" });
      assert.equal(outcome, "no_step");
      assert.equal(await store.query("runState", { env: "dev", runId: id }), null);
    });

    test("a run of another environment cannot be repeated", async () => {
      assert.equal((await rerun("none", "other")).outcome, "gone");
    });

    test("a run whose event is gone is not repeated", async () => {
      await write({});
      await store.execute("purge", {
        env: "dev",
        before: LATER,
        limit: 10,
        after: { receivedAt: -1, id: "" },
      });
      const { id, outcome } = await rerun("completed");
      assert.equal(outcome, "gone");
      assert.equal(await store.query("runState", { env: "dev", runId: id }), null);
    });
  });
}
