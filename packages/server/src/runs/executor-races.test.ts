/** Answers that cross each other, and answers that are lost: each run still ends, and as it should. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hashStepId } from "@svc/protocol";
import { manualClock } from "../../test/manual-clock.ts";
import { runHarness } from "../../test/run-harness.ts";
import { done, type ScriptedAnswer, scriptedApp, steps } from "../../test/scripted-app.ts";
import { scriptedRuns } from "../../test/scripted-runs.ts";
import { ServiceError } from "../errors.ts";
import type { AcceptedEvent } from "../store/commands/accept-events.ts";
import type { Transition } from "../store/commands/apply-transition.ts";
import type { SyncAppArgs } from "../store/commands/sync-app.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Store } from "../store/store.ts";
import { checkpoint } from "./checkpoint.ts";

const A = hashStepId("a");
const B = hashStepId("b");
const ran = (id: string, data: unknown) => ({ id, op: "StepRun" as const, displayName: id, data });
const planned = (id: string) => ({ id, op: "StepPlanned" as const, displayName: id });

describe("the executor, when answers cross or are lost,", () => {
  const { setUp, atEnd } = scriptedRuns();

  test("goes on with a run whose last parallel step ends while the function is being called", async () => {
    const { runs } = await setUp(async ({ body, stepId }) => {
      const { run_id: runId } = body.ctx;
      if (stepId === A) return steps(ran(A, 1));
      // B ends while the call is under way that A has brought about, and that call ends after B was stored.
      if (stepId === B) {
        await runs.until(runId, (state) =>
          state.steps.some(({ id, status }) => id === A && status === "completed"),
        );
        return steps(ran(B, 2));
      }
      if (A in body.steps && B in body.steps) return done("both");
      if (A in body.steps) {
        await runs.until(runId, (state) => state.steps.every(({ status }) => status === "completed"));
      }
      return steps(planned(A), planned(B));
    });
    const { run } = await runs.finished(await runs.send());
    assert.equal(run.output, '"both"');
  });

  test("goes on with a run whose sleep is over when the answer of a call comes that did not know it yet", async () => {
    const clock = manualClock(1_000_000);
    const sleep = { id: B, op: "Sleep" as const, displayName: "b", opts: { duration: "10s" } };
    const app = await scriptedApp(({ body, stepId }) => {
      if (stepId === A) return steps(ran(A, 1));
      if (B in body.steps) return done("awake");
      // No timer has noticed it: the sleep begins its end with the slot that this very answer frees.
      if (A in body.steps) clock.jump(10_000);
      return steps(sleep, planned(A));
    });
    const runs = await runHarness({ appUrl: app.url, clock });
    atEnd(app.close, () => runs.close());
    const { run } = await runs.finished(await runs.send());
    assert.deepEqual([run.status, run.error, run.output], ["completed", null, '"awake"']);
  });

  test("goes on when an app answers with the step whose checkpoint was stored, because it never heard of that", async () => {
    const { app, runs } = await setUp(async ({ body }) => {
      if (A in body.steps) return done(body.steps[A]);
      const { run_id: runId, qi_id } = body.ctx;
      await checkpoint(runs.executor, "dev", runId, { qi_id, steps: [ran(A, 1)] });
      return steps(ran(A, 1));
    });
    const { run } = await runs.finished(await runs.send());
    assert.deepEqual([run.status, run.output], ["completed", '{"data":1}']);
    assert.equal(app.calls.length, 2);
  });

  test("tells of a run whose function was removed in the dialect of its app", async () => {
    const app = await scriptedApp(() => new Promise<ScriptedAnswer>(() => {}), "inngest");
    const runs = await runHarness({ appUrl: app.url, fn: { dialect: "inngest" } });
    atEnd(app.close, () => runs.close());
    const runId = await runs.send({}, { ts: Date.now() + 60_000 });
    runs.functions.delete("app-fn");
    await runs.executor.cancel("dev", runId, { name: "FunctionRemoved", message: "gone" });
    assert.equal(runs.emitted[0]![1], "inngest/function.cancelled");
  });

  test("starts on a full disk, too, with runs of removed functions still to be cancelled", async () => {
    const store = await openSqlite({ dataDir: null, now: Date.now });
    const sync = (functions: SyncAppArgs["functions"]) => {
      const app = { id: "app", url: "http://app", dialect: "svc" as const, sdk: "", framework: null };
      const args = { env: "dev", now: 1, app: { ...app, checksum: String(functions.length) }, functions };
      return store.execute("syncApp", args);
    };
    await sync([{ id: "old-fn", name: "old", config: "{}" }]);
    const event: AcceptedEvent = ["event", "x", 1, null, "{}", null, [["run", "old-fn", "app", 9e15]]];
    const accepted = { env: "dev", now: 1, source: "key" as const, sourceName: null, seeded: false };
    await store.execute("acceptEvents", { ...accepted, events: [event] });
    await sync([]);
    const execute: Store["execute"] = (name, args) =>
      name === "endRun" ? Promise.reject(new ServiceError("unavailable")) : store.execute(name, args);
    const runs = await runHarness({ appUrl: "http://app", store: { ...store, execute } });
    atEnd(() => runs.close());
    assert.equal((await runs.stored("run")).run.status, "queued");
  });

  test("stores what a run did in its order when the store refused some of it for a while", async () => {
    const aRefused = Promise.withResolvers<void>();
    const app = await scriptedApp(async ({ body, stepId }) => {
      if (stepId === A) return steps(ran(A, 1));
      if (stepId === B) {
        await aRefused.promise;
        return steps(ran(B, 2));
      }
      return A in body.steps && B in body.steps ? done("both") : steps(planned(A), planned(B));
    }, "inngest");
    const store = await openSqlite({ dataDir: null, now: Date.now });
    let refused = 0;
    // The disk is full just when A has run, and has room again for whatever comes after.
    const execute: Store["execute"] = (name, args) => {
      const written = name === "applyTransition" ? (args as Transition).steps : [];
      if (refused === 0 && written.some(({ id, status }) => id === A && status === "completed")) {
        refused++;
        aRefused.resolve();
        return Promise.reject(new ServiceError("unavailable"));
      }
      return store.execute(name, args);
    };
    const runs = await runHarness({
      appUrl: app.url,
      store: { ...store, execute },
      fn: { dialect: "inngest" },
    });
    atEnd(app.close, () => runs.close());
    const { run, steps: stored } = await runs.finished(await runs.send());
    assert.deepEqual([refused, run.output], [1, '"both"']);
    assert.deepEqual(
      stored.map(({ status }) => status),
      ["completed", "completed"],
    );
  });

  test("begins no call once it stops, also for a run that was just being read from the store", async () => {
    const { app, runs: first } = await setUp(() => new Promise<ScriptedAnswer>(() => {}));
    const runId = await first.send();
    while (app.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await first.executor.stop(0);

    let letRead = () => {};
    const mayRead = new Promise<void>((resolve) => {
      letRead = resolve;
    });
    const { store } = first;
    const query: typeof store.query = async (name, args, lane) => {
      if (name === "runState") await mayRead;
      return store.query(name, args, lane);
    };
    const second = await runHarness({ appUrl: app.url, store: { ...store, query } });
    second.executor.created("dev", [runId, "app-fn", "app", Date.now()]);
    await second.executor.stop(1_000);
    letRead();
    await second.executor.state("dev", runId);
    await first.stored(runId);
    assert.equal(second.executor.load().calls, 0);
    assert.equal(app.calls.length, 1);
  });
});
