/** What every engine of the store must do when a run is repeated. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type { FailedAttempt, StepWrite, Transition } from "../../src/store/commands/apply-transition.ts";
import type { KeptSteps } from "../../src/store/commands/create-run.ts";
import { engineUnderTest, type OpenStore, T0 } from "./engine-under-test.ts";
import { step as completedStep, transition } from "./transition.ts";

const LATER = T0 + 60_000;

export function rerunContract(engineName: string, open: OpenStore) {
  describe(`reruns in the store on ${engineName}`, () => {
    const engine = engineUnderTest(open);
    const { nextId, stateOf, startRun } = engine;
    let old: string;
    let eventId: string;

    beforeEach(async () => {
      ({ runId: old, eventId } = await startRun());
    });

    const step = (id: string, position: number | null, fields: Partial<StepWrite> = {}) =>
      completedStep({
        id,
        name: `the ${id}`,
        position,
        output: `"${id}"`,
        ...(position === null && { status: "planned", output: null, ended_at: null }),
        ...fields,
      });
    /** The old run fails, with these steps. */
    const write = (fields: Partial<Transition>) =>
      engine.store.execute(
        "applyTransition",
        transition(old, { end: { status: "failed", output: null, error: "{}" }, ...fields }),
      );
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
      const outcome = await engine.store.execute("createRun", {
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
      const state = (await stateOf(id))!;
      assert.equal(state.run.kept_steps, state.steps.length);
      return state.steps
        .sort((a, b) => a.position! - b.position!)
        .map(({ id, status, position }) => `${position} ${id} ${status}`);
    };

    test("a run that is repeated from its start takes nothing over and says what it repeats", async () => {
      await write({ steps: [step("a", 0)] });
      const { id, outcome } = await rerun("none");
      assert.equal(outcome, "created");
      const state = (await stateOf(id))!;
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
      const { run } = (await stateOf(old))!;
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
      const { steps, run } = (await stateOf(id))!;
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
      assert.equal(await stateOf(id), null);
    });

    test("a run of another environment cannot be repeated", async () => {
      assert.equal((await rerun("none", "other")).outcome, "gone");
    });

    test("a run whose event is gone is not repeated", async () => {
      await write({});
      await engine.store.execute("purge", {
        env: "dev",
        before: LATER,
        limit: 10,
        after: { receivedAt: -1, id: "" },
      });
      const { id, outcome } = await rerun("completed");
      assert.equal(outcome, "gone");
      assert.equal(await stateOf(id), null);
    });
  });
}
