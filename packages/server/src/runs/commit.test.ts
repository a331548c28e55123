import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../clock.ts";
import { silentLogger } from "../observe/log.ts";
import { createCommitter } from "./commit.ts";
import type { ExecutorParts } from "./executor-parts.ts";
import { newRunState, type RunState } from "./run-state.ts";
import { createStateCache } from "./state-cache.ts";

test("a run that is being cancelled stays in memory till then, and what waited for its call is let go", async () => {
  const state = newRunState("dev", "run", "app-fn", "app", 0, ["event", "t/run", 0, null, "{}", null, null]);
  const cache = createStateCache(10_000);
  const resumed: RunState[] = [];
  let inMemory = false;
  const parts = {
    store: {
      async execute() {
        // Meanwhile other runs come and crowd out what nothing holds.
        cache.keep({ ...state, runId: "other", memoBytes: 9_000 }, { optional: false });
        inMemory = cache.get("run") === state;
        return true;
      },
    },
    registry: { match: () => [], find: () => undefined, dialectOf: () => "svc" },
    clock: systemClock,
    logger: silentLogger,
    observer: { runEnded() {}, emitted() {} },
    nextId: () => "id",
  } as unknown as ExecutorParts;
  const committer = createCommitter(parts, {
    cache,
    offer() {},
    accepted() {},
    resume: (each) => resumed.push(each),
  });
  cache.keep(state, { optional: false });
  assert.equal(await committer.end(state, { status: "cancelled", output: null, error: "{}" }), true);
  assert.equal(inMemory, true);
  assert.equal(cache.get("run"), undefined);
  assert.deepEqual(resumed, [state]);
});
