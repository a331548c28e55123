/** What the executor holds in memory stays bounded, whatever runs and the store do. */
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { hashStepId } from "@svc/protocol";
import { runHarness } from "../../test/run-harness.ts";
import { done, type ReceivedCall, type ScriptedAnswer, scriptedApp, steps } from "../../test/scripted-app.ts";
import { ServiceError } from "../errors.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Store } from "../store/store.ts";

const A = hashStepId("a");
const B = hashStepId("b");

describe("the executor's memory", () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function setUp(answer: (call: ReceivedCall) => ScriptedAnswer, store: Store) {
    const app = await scriptedApp(answer);
    const runs = await runHarness({ appUrl: app.url, store });
    closing.push(app.close, () => runs.close());
    return { app, runs };
  }

  test("lets go of sleeping runs that have grown large", async () => {
    const store = await openSqlite({ dataDir: null, now: Date.now });
    const loaded: string[] = [];
    const query: Store["query"] = (name, args, lane) => {
      if (name === "runState" && lane === "runs") loaded.push((args as { runId: string }).runId);
      return store.query(name, args, lane);
    };
    const large = "x".repeat(3_500_000);
    const { runs } = await setUp(
      ({ body }) =>
        A in body.steps
          ? steps({ id: B, op: "Sleep", name: "1h" })
          : steps({ id: A, op: "StepRun", data: large }),
      { ...store, query },
    );
    const ids: string[] = [];
    for (let i = 0; i < 16; i++) {
      const runId = await runs.send();
      ids.push(runId);
      await runs.until(runId, (state) => state.queue.some(({ kind }) => kind === "sleep"));
    }
    loaded.length = 0;
    for (const runId of [ids[15]!, ids[0]!]) await runs.executor.state("dev", runId);
    assert.deepEqual(loaded, [ids[0]]);
  });

  test("calls for no more runs while the store takes no outcomes", async () => {
    const store = await openSqlite({ dataDir: null, now: Date.now });
    let full = true;
    const execute: Store["execute"] = (name, args) => {
      if (full && name === "applyTransition") return Promise.reject(new ServiceError("unavailable"));
      return store.execute(name, args);
    };
    const { app, runs } = await setUp(() => done(1), { ...store, execute });
    const ids = await Promise.all(Array.from({ length: 100 }, () => runs.send()));
    await runs.until(ids[0]!, () => app.calls.length >= 16);
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.ok(app.calls.length <= 2 * 16, `${app.calls.length} calls`);
    full = false;
    for (const runId of ids) await runs.finished(runId);
    assert.equal(app.calls.length, 100);
  });
});
