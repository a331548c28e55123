import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hashStepId, type Op, verifySignature } from "@svc/protocol";
import { runHarness } from "../../test/run-harness.ts";
import { done, type ScriptedAnswer, scriptedApp, steps } from "../../test/scripted-app.ts";
import { scriptedRuns } from "../../test/scripted-runs.ts";
import { checkpoint } from "./checkpoint.ts";

const A = hashStepId("a");
const B = hashStepId("b");
const ran = (id: string, data: unknown) => ({ id, op: "StepRun" as const, displayName: id, data });
const planned = (id: string, opts: Op["opts"] = {}) => ({
  id,
  op: "StepPlanned" as const,
  displayName: id,
  opts,
});

describe("the executor", () => {
  const { setUp, atEnd } = scriptedRuns();

  test("a plain answer ends the run with its output", async () => {
    const { app, runs } = await setUp(() => done({ ok: true }));
    const { run } = await runs.finished(await runs.send({ n: 1 }));
    assert.deepEqual([run.status, run.output, run.attempts], ["completed", '{"ok":true}', 1]);
    const { body, headers } = app.calls[0]!;
    assert.equal(body.version, -1);
    assert.deepEqual(body.event.data, { n: 1 });
    assert.deepEqual(body.events, [body.event]);
    assert.equal(body.ctx.attempt, 0);
    assert.equal(body.ctx.max_attempts, 3);
    assert.equal(headers["x-svc-server-kind"], "cloud");
  });

  test("a finished step is memoised and its function called again at once", async () => {
    const { app, runs } = await setUp(({ body }) =>
      A in body.steps ? done(body.steps[A]) : steps(ran(A, 7)),
    );
    const { run } = await runs.finished(await runs.send());
    assert.equal(run.output, '{"data":7}');
    assert.deepEqual(app.calls[1]!.body.ctx.stack, { stack: [A], current: 1 });
    assert.equal(app.calls[1]!.body.version, 2);
  });

  test("a sleep ends when its time has come and is memoised as null", async () => {
    const { runs } = await setUp(({ body }) =>
      A in body.steps ? done(body.steps[A]) : steps({ id: A, op: "Sleep", name: "40ms" }),
    );
    const { run, steps: stored } = await runs.finished(await runs.send());
    assert.equal(run.output, "null");
    assert.ok(stored[0]!.ended_at! >= stored[0]!.wakes_at!);
  });

  test("a sleep that is no time string fails the run with a sentence", async () => {
    const { runs } = await setUp(() => steps({ id: A, op: "Sleep", name: "soon", displayName: "nap" }));
    const { run } = await runs.finished(await runs.send());
    assert.match(run.error!, /\\"nap\\" sleeps for \\"soon\\"/);
  });

  test("planned steps are each called for, and seen together afterwards", async () => {
    const { app, runs } = await setUp(({ body, stepId }) => {
      if (stepId !== "step") return steps(ran(stepId, stepId === A ? "A" : "B"));
      return A in body.steps && B in body.steps ? done("both") : steps(planned(A), planned(B));
    });
    const { run } = await runs.finished(await runs.send());
    assert.equal(run.output, '"both"');
    for (const id of [A, B]) {
      const forStep = app.calls.filter(({ stepId }) => stepId === id);
      assert.equal(forStep.length, 1);
      assert.equal(forStep[0]!.body.ctx.disable_immediate_execution, true);
    }
  });

  test("clients of the Inngest specification are called once after all parallel steps", async () => {
    const { app, runs } = await setUp(
      async ({ body, stepId }) => {
        if (stepId === B) await new Promise((resolve) => setTimeout(resolve, 60));
        if (stepId !== "step") return steps(ran(stepId, 1));
        return A in body.steps && B in body.steps ? done("both") : steps(planned(A), planned(B));
      },
      { fn: { dialect: "inngest" } },
    );
    await runs.finished(await runs.send());
    assert.equal(app.calls.filter(({ stepId }) => stepId === "step").length, 2);
  });

  test("a step that wins a race is followed at once, whatever else is under way", async () => {
    let releaseB = () => {};
    const heldB = new Promise<void>((resolve) => {
      releaseB = resolve;
    });
    for (const dialect of ["svc", "inngest"] as const) {
      const { runs } = await setUp(
        async ({ body, stepId }) => {
          if (stepId === B) await heldB;
          if (stepId !== "step") return steps(ran(stepId, 1));
          const race = { parallelMode: "race" };
          return A in body.steps ? done("A won") : steps(planned(A, race), planned(B, race));
        },
        { fn: { dialect } },
      );
      const { run } = await runs.finished(await runs.send());
      assert.equal(run.output, '"A won"');
    }
    releaseB();
  });

  test("a failing step is tried again, then its error goes to the function", async () => {
    const boom = { name: "Error", message: "boom" };
    const { app, runs } = await setUp(({ body }) =>
      A in body.steps ? done(body.steps[A]) : steps({ id: A, op: "StepError", error: boom }),
    );
    const { run, steps: stored } = await runs.finished(await runs.send());
    assert.deepEqual(JSON.parse(run.output!), { error: boom });
    assert.deepEqual(
      app.calls.map(({ body }) => body.ctx.attempt),
      [0, 1, 2, 0],
    );
    assert.equal(stored[0]!.status, "failed");
  });

  test("a step that must not be tried again hands over its error at once", async () => {
    const { app, runs } = await setUp(({ body }) =>
      A in body.steps
        ? done("caught")
        : steps({ id: A, op: "StepFailed", error: { name: "E", message: "m" } }),
    );
    await runs.finished(await runs.send());
    assert.equal(app.calls.length, 2);
  });

  test("a function that fails is tried until no attempt is left", async () => {
    const { app, runs } = await setUp(() => ({ status: 500, body: { name: "Error", message: "broken" } }));
    const { run } = await runs.finished(await runs.send());
    assert.equal(run.status, "failed");
    assert.match(run.error!, /broken/);
    assert.equal(app.calls.length, 3);
    assert.equal(run.attempts, 3);
  });

  test("an error that forbids retries ends the run at once", async () => {
    for (const answer of [
      { status: 400, body: { name: "Error", message: "no" } },
      { status: 500, headers: { "x-svc-no-retry": "true" }, body: { name: "Error", message: "no" } },
    ]) {
      const { app, runs } = await setUp(() => answer);
      const { run } = await runs.finished(await runs.send());
      assert.deepEqual([run.status, app.calls.length], ["failed", 1]);
    }
  });

  test("retry-after decides when the next attempt is", async () => {
    let first = true;
    const { runs } = await setUp(() => {
      if (!first) return done(1);
      first = false;
      return { status: 503, headers: { "retry-after": "3600" }, body: { name: "E", message: "later" } };
    });
    const runId = await runs.send();
    const { queue } = await runs.until(runId, (state) => state.queue[0]?.attempt === 1);
    assert.ok(queue[0]!.due_at > Date.now() + 3_500_000);
  });

  test("what is not an SDK's answer is quoted in the error and tried again", async () => {
    let calls = 0;
    const { runs } = await setUp(() => {
      calls++;
      return calls === 1
        ? { status: 502, headers: { "x-svc-sdk": "" }, body: "<html>Bad gateway</html>" }
        : done("recovered");
    });
    const runId = await runs.send();
    const { run } = await runs.finished(runId);
    assert.equal(run.output, '"recovered"');
  });

  test("an app that cannot be reached is tried again", async () => {
    const { app, runs } = await setUp(() => done(1));
    await app.close();
    const { run } = await runs.finished(await runs.send());
    assert.equal(run.status, "failed");
    assert.match(run.error!, /Nothing listens at/);
  });

  test("a call that takes too long is an error that says so", async () => {
    const { runs } = await setUp(() => new Promise<ScriptedAnswer>(() => {}), {
      callTimeoutMs: 50,
      fn: { maxAttempts: 1 },
    });
    const { run } = await runs.finished(await runs.send());
    assert.match(run.error!, /did not answer within/);
  });

  test("opcodes of a later release fail the run with their name", async () => {
    for (const op of ["WaitForEvent", "InvokeFunction", "Gateway", "Nonsense"]) {
      const { runs } = await setUp(() => steps({ id: A, op: op as "Sleep", displayName: "w" }));
      const { run } = await runs.finished(await runs.send());
      assert.equal(run.status, "failed");
      assert.match(run.error!, new RegExp(op));
    }
  });

  test("an answer that leaves nothing to do fails the run instead of hanging it", async () => {
    const { runs } = await setUp(() => steps());
    const { run } = await runs.finished(await runs.send());
    assert.match(run.error!, /could never go on/);
  });

  test("a run may not pass its number of steps", async () => {
    const { runs } = await setUp(({ body }) => steps(ran(hashStepId(`s${body.ctx.stack.current}`), 1)), {
      maxStepsPerRun: 5,
    });
    const { run, steps: stored } = await runs.finished(await runs.send());
    assert.match(run.error!, /passed 5 steps/);
    assert.equal(stored.length, 5);
  });

  test("an output past its limit ends the run with an error that names it", async () => {
    const { runs } = await setUp(() => steps(ran(A, "x".repeat(4 * 1024 * 1024))));
    const { run } = await runs.finished(await runs.send());
    assert.match(run.error!, /the limit is 4194304/);
  });

  test("limits count bytes, not characters", async () => {
    const { runs } = await setUp(() => steps(ran(A, "あ".repeat(1_500_000))));
    const { run } = await runs.finished(await runs.send());
    assert.match(run.error!, /is 4500002 bytes; the limit is 4194304/);
  });

  test("a body past 4 MB makes the app fetch its steps, in whatever script they are written", async () => {
    for (const big of ["x".repeat(2_200_000), "字".repeat(1_000_000)]) {
      const { app, runs } = await setUp(({ body }) => {
        if (body.use_api) return done(Object.keys(body.steps).length);
        return steps(ran(hashStepId(`s${body.ctx.stack.current}`), big));
      });
      const { run } = await runs.finished(await runs.send());
      assert.equal(run.output, "0");
      const last = app.calls.at(-1)!.body;
      assert.deepEqual([last.ctx.use_api, last.events.length, last.ctx.stack.current], [true, 0, 2]);
    }
  });

  test("a streamed answer counts by its last message", async () => {
    const { runs } = await setUp(() => ({
      status: 201,
      body: `   ${JSON.stringify({ status: 200, headers: {}, body: '"late"' })}`,
    }));
    const { run } = await runs.finished(await runs.send());
    assert.equal(run.output, '"late"');
  });

  test("calls are signed with the key of the environment", async () => {
    const key = "signkey-prod-0123456789abcdef";
    const { app, runs } = await setUp(() => done(1), { signingKey: key });
    await runs.finished(await runs.send());
    const { headers, body } = app.calls[0]!;
    const header = headers["x-svc-signature"] as string;
    assert.equal(await verifySignature(JSON.stringify(body), header, { key }, Date.now()), "valid");
  });

  test("an event dated in the future runs then", async () => {
    const { app, runs } = await setUp(() => done(1));
    const dueAt = Date.now() + 400;
    const runId = await runs.send({}, { ts: dueAt });
    assert.equal((await runs.stored(runId)).queue[0]!.due_at, dueAt);
    const { run } = await runs.finished(runId);
    assert.ok(run.started_at! >= dueAt);
    assert.equal(app.calls.length, 1);
  });

  test("the end of a run is told by an event, but not the end of a run that such an event started", async () => {
    const { runs } = await setUp(({ body }) => {
      if (body.event.data.fail === true) return { status: 400, body: { name: "E", message: "no" } };
      return done(1);
    });
    await runs.finished(await runs.send());
    const failed = await runs.send({ fail: true });
    await runs.finished(failed);
    const told = runs.emitted.map(([, name, , , data]) => [name, JSON.parse(data)]);
    assert.deepEqual(
      told.map(([name]) => name),
      ["svc/function.finished", "svc/function.failed"],
    );
    assert.equal(told[0]![1].result, 1);
    assert.equal(told[1]![1].run_id, failed);
    assert.equal(told[1]![1].error.message, "no");
    assert.equal(told[1]![1].event.name, "t/run");
  });

  test("a cancelled run ends at once and its call under way is broken off", async () => {
    let brokenOff = false;
    const { runs } = await setUp(() => new Promise<ScriptedAnswer>(() => {}));
    const runId = await runs.send();
    while (!runs.executor.isRunning(runId)) await new Promise((resolve) => setImmediate(resolve));
    brokenOff = await runs.executor.cancel("dev", runId, { name: "Cancelled", message: "by test" });
    assert.equal(brokenOff, true);
    assert.equal((await runs.finished(runId)).run.status, "cancelled");
    assert.equal(runs.executor.isRunning(runId), false);
    assert.equal(
      await runs.executor.cancel("dev", runId, { name: "Cancelled", message: "again" }).catch(() => "gone"),
      false,
    );
  });

  test("a call that takes its time shows as running in the store", async () => {
    let release = (_: ScriptedAnswer) => {};
    const { runs } = await setUp(
      () =>
        new Promise<ScriptedAnswer>((resolve) => {
          release = resolve;
        }),
    );
    const runId = await runs.send();
    const { run } = await runs.until(runId, (state) => state.run.status === "running");
    assert.ok(run.started_at !== null);
    release(done(1));
    await runs.finished(runId);
  });

  test("a checkpointed step is durable before the call ends and is not run again", async () => {
    let token = "";
    const { app, runs } = await setUp(async ({ body }) => {
      token = body.ctx.qi_id;
      if (body.ctx.attempt === 0 && !(A in body.steps)) {
        await checkpoint(runs.executor, "dev", body.ctx.run_id, { qi_id: token, steps: [ran(A, 1)] });
        assert.equal((await runs.stored(body.ctx.run_id)).steps.length, 1);
        return { status: 500, body: { name: "E", message: "crashed after the checkpoint" } };
      }
      return steps({ id: hashStepId("end"), op: "RunComplete", data: body.steps[A] });
    });
    const { run } = await runs.finished(await runs.send());
    assert.equal(run.output, '{"data":1}');
    assert.equal(app.calls.length, 2);
    await assert.rejects(checkpoint(runs.executor, "dev", run.id, { qi_id: token, steps: [ran(B, 1)] }), {
      code: "stale_call",
    });
    await assert.rejects(checkpoint(runs.executor, "dev", "nope", { qi_id: token, steps: [ran(B, 1)] }), {
      code: "not_found",
    });
    await assert.rejects(checkpoint(runs.executor, "dev", run.id, { qi_id: token, steps: [planned(B)] }), {
      code: "invalid_request",
    });
  });

  test("runs of a function that is gone are cancelled with that reason", async () => {
    const { runs } = await setUp(() => done(1));
    const runId = await runs.send({}, { ts: Date.now() + 1_500 });
    runs.functions.clear();
    const { run } = await runs.finished(runId);
    assert.equal(run.status, "cancelled");
    assert.match(run.error!, /no longer part of its app/);
  });

  test("a stop hands unfinished calls back, and the next start calls them again", async () => {
    const app = await scriptedApp(({ body }) =>
      body.event.data.answer === true ? done(1) : new Promise<ScriptedAnswer>(() => {}),
    );
    atEnd(app.close);
    const first = await runHarness({ appUrl: app.url });
    const store = first.store;
    const runId = await first.send({ answer: false });
    while (app.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await first.executor.stop(10);
    assert.equal((await first.stored(runId)).queue.length, 1);
    const second = await runHarness({ appUrl: app.url, store });
    second.executor.created("dev", [runId, "app-fn", "app", Date.now()]);
    while (app.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(app.calls[1]!.body.ctx.run_id, runId);
    await second.close(10);
  });
});
