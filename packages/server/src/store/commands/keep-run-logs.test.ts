import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { openSqlite } from "../sqlite/open.ts";
import type { Store } from "../store.ts";
import type { Transition } from "./apply-transition.ts";
import { RUN_LOG_LIMITS, type RunLogs } from "./keep-run-logs.ts";

const of = (count: number, text: string): RunLogs => {
  const lines = Array.from({ length: count }, () => ({ at: 1, level: "info", text }));
  return { attempt: 0, count, text: JSON.stringify(lines) };
};

describe("the log lines of a run", () => {
  let store: Store;

  beforeEach(async () => {
    store = await openSqlite({ dataDir: null, now: () => 1 });
    await store.execute("acceptEvents", {
      env: "dev",
      now: 1,
      source: "key",
      sourceName: null,
      seeded: false,
      events: ["run", "other"].map((run) => [
        `event-${run}`,
        "a/b",
        1,
        null,
        "{}",
        null,
        [[run, "fn", "app", 1]],
      ]),
    });
  });
  afterEach(() => store.close());

  /** Report lines with a checkpoint, or with what ends the run. */
  const report = (logs: RunLogs, change: Partial<Transition> = {}) =>
    store.execute("applyTransition", {
      env: "dev",
      runId: "run",
      appId: "app",
      functionId: "fn",
      now: 7,
      item: "run",
      keepItem: true,
      startedAt: 1,
      requestVersion: 1,
      steps: [],
      failedAttempts: [],
      enqueue: [],
      end: null,
      emit: [],
      logs,
      ...change,
    });
  const end = { status: "completed", output: null, error: null } as const;
  const kept = async (
    id = "run",
  ): Promise<{ at: string; level: string; text: string; attempt: number | null }[]> =>
    JSON.parse((await store.query("findRun", { env: "dev", id }))!.logs);

  test("are kept in the order of their reports; those of the end, too", async () => {
    await report(of(2, "a"));
    await report({ ...of(1, "b"), attempt: 3 });
    await report(of(1, "c"), { keepItem: false, end });
    assert.deepEqual(
      (await kept()).map(({ attempt, text }) => `${attempt} ${text}`),
      ["0 a", "0 a", "3 b", "0 c"],
    );
    assert.deepEqual(await kept("other"), []);
  });

  test("are not kept when what they came with is stale", async () => {
    await report(of(1, "a"), { keepItem: false, end });
    assert.equal(await report(of(1, "stale")), false);
    assert.equal(await report(of(1, "stale"), { keepItem: false }), false);
    assert.equal((await kept()).length, 1);
  });

  test("end with one line that says so when they are too many", async () => {
    const reports = RUN_LOG_LIMITS.lines / 200;
    for (let n = 0; n < reports; n++) await report(of(200, "x"));
    assert.equal((await kept()).length, RUN_LOG_LIMITS.lines);
    for (let n = 0; n < 3; n++) await report(of(1, "late"));
    const lines = await kept();
    assert.equal(lines.length, RUN_LOG_LIMITS.lines + 1);
    const { attempt, at, level, text } = lines.at(-1)!;
    assert.deepEqual([attempt, at, level], [null, new Date(7).toISOString(), "warn"]);
    assert.match(text, /^Later lines of this run were not kept/);
    await report(of(1, "other"), { runId: "other", item: "other" });
    assert.equal((await kept("other")).length, 1);
  });

  test("end with one line that says so when they are too large together, in bytes", async () => {
    const large = of(12, "é".repeat(2_000));
    const size = Buffer.byteLength(large.text);
    const fitting = Math.floor(RUN_LOG_LIMITS.bytes / size);
    for (let n = 0; n < fitting + 5; n++) await report(large);
    const lines = await kept();
    assert.equal(lines.length, 12 * fitting + 1);
    assert.match(lines.at(-1)!.text, /not kept/);
  });

  test("are removed with their run", async () => {
    await report(of(1, "a"), { keepItem: false, end });
    await report(of(1, "b"), { runId: "other", item: "other" });
    const after = { receivedAt: 0, id: "" };
    const purged = await store.execute("purge", { env: "dev", before: 9, limit: 100, after });
    assert.equal(purged.runs, 1);
    assert.deepEqual((await kept("other")).length, 1);
    // The same id again, as no run ever has it: nothing of the first one is left.
    await store.execute("acceptEvents", {
      env: "dev",
      now: 1,
      source: "key",
      sourceName: null,
      seeded: false,
      events: [["again", "a/b", 1, null, "{}", null, [["run", "fn", "app", 1]]]],
    });
    assert.deepEqual(await kept(), []);
  });
});
