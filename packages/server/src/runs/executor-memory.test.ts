/** What the executor holds in memory stays bounded, whatever runs and the store do. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hashStepId } from "@svc/protocol";
import { done, steps } from "../../test/scripted-app.ts";
import { scriptedRuns } from "../../test/scripted-runs.ts";
import { ServiceError } from "../errors.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Store } from "../store/store.ts";

const A = hashStepId("a");
const B = hashStepId("b");

describe("the executor's memory", () => {
  const { setUp } = scriptedRuns();

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
      { store: { ...store, query } },
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
    const { app, runs } = await setUp(() => done(1), { store: { ...store, execute } });
    const ids = await Promise.all(Array.from({ length: 100 }, () => runs.send()));
    await runs.until(ids[0]!, () => app.calls.length >= 16);
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.ok(app.calls.length <= 2 * 16, `${app.calls.length} calls`);
    full = false;
    for (const runId of ids) await runs.finished(runId);
    assert.equal(app.calls.length, 100);
  });
});
