import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type ManualClock, manualClock } from "../../test/manual-clock.ts";
import type { PlannedRun } from "../store/commands/accept-events.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Store } from "../store/store.ts";
import { createLane, type Lane, type LaneItem } from "./lane.ts";

const T0 = 1_700_000_000_000;

describe("a lane", () => {
  let store: Store;
  let clock: ManualClock;
  let lane: Lane | undefined;
  let worked: string[];
  beforeEach(async () => {
    clock = manualClock(T0);
    store = await openSqlite({ dataDir: null, now: clock.now });
    worked = [];
  });
  afterEach(async () => {
    lane?.stop();
    await store.close();
  });

  /** Store runs of the app that are due at these moments after T0. */
  const queue = async (dues: number[], offset = 0) => {
    const runs = dues.map(
      (due, i): PlannedRun => [`run-${String(offset + i).padStart(4, "0")}`, "fn", "app", T0 + due],
    );
    await store.execute("acceptEvents", {
      env: "dev",
      now: T0,
      source: "key",
      sourceName: null,
      seeded: false,
      events: [[`event-${offset}`, "a/b", T0, null, "{}", null, runs]],
    });
    return runs.map(([runId, , , dueAt]): LaneItem => ({ runId, id: runId, kind: "call", dueAt }));
  };
  const end = async ({ runId }: LaneItem) => {
    worked.push(runId);
    const how = { status: "completed" as const, output: null, error: null };
    await store.execute("endRun", { env: "dev", runId, now: clock.now(), end: how, emit: [] });
  };
  const open = (options: Partial<Parameters<typeof createLane>[0]> = {}) => {
    lane = createLane({
      env: "dev",
      appId: "app",
      store,
      clock,
      concurrency: 4,
      start: end,
      onError: (error) => assert.fail(String(error)),
      ...options,
    });
    return lane;
  };
  const until = async (condition: () => boolean) => {
    for (let i = 0; i < 2_000 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.ok(condition(), `worked on ${worked.length}`);
  };

  test("takes up what the store holds and works on it in the order it is due", async () => {
    await queue([30, 10, 20].map((due) => due - 100));
    open({ concurrency: 1 });
    await until(() => worked.length === 3);
    assert.deepEqual(worked, ["run-0001", "run-0002", "run-0000"]);
  });

  test("works on what is offered when it is due, not before", async () => {
    const opened = open();
    const items = await queue([0, 5_000]);
    for (const item of items) opened.offer(item);
    await until(() => worked.length === 1);
    clock.advance(4_999);
    assert.equal(worked.length, 1);
    clock.advance(1);
    await until(() => worked.length === 2);
  });

  test("finds what is due far in the future when its time comes near", async () => {
    const opened = open();
    const [item] = await queue([3_600_000]);
    opened.offer(item!);
    assert.equal(opened.depth(), 0);
    clock.advance(3_600_000 - 90_000);
    await until(() => {
      // The lane asks the store again every half minute of its own time.
      if (clock.now() < T0 + 3_599_000) clock.advance(500);
      return opened.depth() === 1;
    });
    assert.deepEqual(worked, []);
    clock.advance(60_000);
    await until(() => worked.length === 1);
  });

  test("holds no more than its capacity and still works on everything once", async () => {
    await queue(Array.from({ length: 60 }, () => -1));
    const opened = open({ capacity: 8 });
    const later = await queue(
      Array.from({ length: 60 }, () => -1),
      60,
    );
    for (const item of later) opened.offer(item);
    assert.ok(opened.depth() <= 8);
    await until(() => worked.length >= 120);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(new Set(worked).size, 120);
    assert.equal(worked.length, 120);
  });

  test("makes no more calls at once than it may, and sleeps need no place", async () => {
    let atOnce = 0;
    let most = 0;
    const items = await queue(Array.from({ length: 12 }, () => -1));
    const opened = open({
      async start(item, freeSlot) {
        most = Math.max(most, ++atOnce);
        await new Promise((resolve) => setImmediate(resolve));
        atOnce--;
        freeSlot();
        await end(item);
      },
    });
    for (const item of items) opened.offer(item);
    await until(() => worked.length === 12);
    assert.ok(most <= 4, String(most));
  });

  test("works at once on what is due, also when it is full of what is due a little later", async () => {
    const later = await queue([30_000, 30_000, 30_000, 30_000]);
    const opened = open({ capacity: 4 });
    for (const item of later) opened.offer(item);
    const [due] = await queue([-1], 10);
    opened.offer(due!);
    await until(() => worked.length === 1);
    assert.deepEqual(worked, [due!.id]);
  });

  test("waits no longer at a time than a timer can, however far the clock was put back", async () => {
    const waits: number[] = [];
    const { after } = clock;
    clock.after = (ms, callback) => {
      waits.push(ms);
      return after(ms, callback);
    };
    const opened = open();
    const items = await queue([30_000, 20_000]);
    opened.offer(items[0]!);
    clock.advance(-60 * 86_400_000);
    opened.offer(items[1]!);
    assert.ok(Math.max(...waits) < 2 ** 31, String(Math.max(...waits)));
  });

  test("starts new runs at once, and retries in time, after the clock was put ahead", async () => {
    const opened = open();
    const [first] = await queue([0]);
    opened.offer(first!);
    await until(() => worked.length === 1);
    for (const [i, ahead] of [3_600_000, 45_000].entries()) {
      clock.jump(ahead);
      const due = clock.now() - T0;
      const items = await queue([due, due + 20_000], 10 * (i + 1));
      for (const item of items) opened.offer(item);
      await until(() => worked.length === 2 * i + 2);
      // Before the lane looks by itself.
      clock.advance(20_000);
      await until(() => worked.length === 2 * i + 3);
    }
  });

  test("misses nothing when the clock is put ahead while it reads the store", async () => {
    const [started, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: Store = {
      ...store,
      async query(...args) {
        const rows = await store.query(...args);
        started.resolve();
        await read.promise;
        return rows;
      },
    };
    const opened = open({ store: slow });
    await started.promise;
    clock.jump(3_600_000);
    const [item] = await queue([3_600_000]);
    opened.offer(item!);
    read.resolve();
    await until(() => worked.length === 1);
  });

  test("takes nothing more once it is stopped", async () => {
    const opened = open();
    opened.stop();
    const [item] = await queue([-1]);
    opened.offer(item!);
    clock.advance(120_000);
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(worked, []);
  });
});
