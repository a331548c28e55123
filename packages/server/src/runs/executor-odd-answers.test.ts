/** Answers that no well-behaved SDK gives, or hardly ever: the run ends, and what is stored can be read. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hashStepId, type Op } from "@svc/protocol";
import { done, steps } from "../../test/scripted-app.ts";
import { scriptedRuns } from "../../test/scripted-runs.ts";
import { checkpoint } from "./checkpoint.ts";

const A = hashStepId("a");
const B = hashStepId("b");
const ran = (id: string, data: unknown) => ({ id, op: "StepRun" as const, displayName: id, data });
const failed = (id: string): Op => ({ id, op: "StepFailed", error: { name: "Broken", message: id } });

describe("the executor, given an odd answer,", () => {
  const { setUp } = scriptedRuns();

  test("keeps every failed attempt of a call that reported failed steps and then failed itself", async () => {
    const { runs } = await setUp(async ({ body }) => {
      const { run_id: runId, qi_id } = body.ctx;
      if (A in body.steps) return done("went on");
      await checkpoint(runs.executor, "dev", runId, { qi_id, steps: [failed(A), failed(B)] });
      return { status: 500, body: { name: "Error", message: "and then this" } };
    });
    const runId = await runs.send();
    const { run } = await runs.finished(runId);
    assert.deepEqual([run.status, run.output], ["completed", '"went on"']);
    const story = await runs.store.query("findRun", { env: "dev", id: runId });
    assert.deepEqual(story!.attempts.map((attempt) => attempt.step_id).sort(), [A, B, "step"].sort());
  });

  test("takes its own time for a step whose timing no clock could show", async () => {
    for (const timing of [
      { a: 1e23, b: 1 },
      { a: 1e300, b: 1e300 },
      { a: -1e23, b: 0 },
    ]) {
      const { runs } = await setUp(({ body }) =>
        A in body.steps ? done("ok") : steps({ ...ran(A, 1), timing }),
      );
      const before = Date.now();
      const { run, steps: stored } = await runs.finished(await runs.send());
      assert.equal(run.output, '"ok"');
      assert.ok(stored[0]!.started_at! >= before && stored[0]!.ended_at! <= Date.now());
    }
  });

  test("ignores a protocol version that is no number of reasonable size", async () => {
    const { runs } = await setUp(() => ({ ...done("ok"), headers: { "x-svc-req-version": "1e17" } }));
    const { run } = await runs.finished(await runs.send());
    assert.deepEqual([run.status, run.request_version], ["completed", -1]);
  });

  test("fails a run whose step gives a value too deep to be written", async () => {
    const deep = `${'{"0":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const { app, runs } = await setUp(() => ({
      status: 206,
      body: `[{"id":"${A}","op":"StepRun","data":${deep}}]`,
    }));
    const { run } = await runs.finished(await runs.send());
    assert.equal(run.status, "failed");
    assert.match(run.error!, /nests deeper than 500 levels/);
    assert.equal(app.calls.length, 3);
  });

  test("names an opcode it does not know, also one that every object has", async () => {
    for (const op of ["constructor", "__proto__", "toString"]) {
      const { runs } = await setUp(() => steps({ id: A, op: op as Op["op"] }));
      const { run } = await runs.finished(await runs.send());
      assert.match(run.error!, new RegExp(`opcode \\\\"${op}\\\\", which the service does not know`));
    }
  });

  test("goes on after a parallel step that was reported before its call broke", async () => {
    const { app, runs } = await setUp(async ({ body, stepId }) => {
      if (stepId === "step") return A in body.steps ? done("went on") : steps({ id: A, op: "StepPlanned" });
      const { run_id: runId, qi_id } = body.ctx;
      if (A in body.steps) return steps({ id: A, op: "StepNotFound" });
      await checkpoint(runs.executor, "dev", runId, { qi_id, steps: [ran(A, 1)] });
      return { status: 502, headers: { "x-svc-sdk": "" }, body: "" };
    });
    const { run } = await runs.finished(await runs.send());
    assert.deepEqual([run.status, run.output], ["completed", '"went on"']);
    assert.equal(app.calls.filter(({ stepId }) => stepId === A).length, 1);
  });

  test("ends a run at once whose answer is larger than may be, and names the limit", async () => {
    const { app, runs } = await setUp(() => done("x".repeat(6 * 1024 * 1024)));
    const { run } = await runs.finished(await runs.send());
    assert.equal(run.status, "failed");
    assert.match(run.error!, /LimitError.*larger than 5242880 bytes/);
    assert.equal(app.calls.length, 1);
  });
});
