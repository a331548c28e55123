/** What every engine of the store must do with events: each once, all of a batch or none, by environment. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DAY, engineUnderTest, type OpenStore, T0 } from "./engine-under-test.ts";

export function eventContract(engineName: string, open: OpenStore) {
  describe(`events in the store on ${engineName}`, () => {
    const engine = engineUnderTest(open);
    const { event, accept, queued, startRun, stateOf, nextId } = engine;

    test("an accepted event is stored with its run and the run's first queue item", async () => {
      const { runId, eventId } = await startRun();
      const state = await stateOf(runId);
      assert.equal(state?.event.id, eventId);
      assert.equal(state?.run.status, "queued");
      assert.deepEqual(await queued(), [runId]);
    });

    test("a later event with the same id is ignored and answered with the first one's id", async () => {
      const first = event({ dedup: "order-1" });
      assert.equal(await accept([first]), null);
      const second = event({
        dedup: "order-1",
        name: "another/name",
        runs: [[nextId(T0), "app-fn", "app", T0]],
      });
      assert.deepEqual(await accept([second], { now: T0 + 1 }), [[0, first[0]]]);
      assert.deepEqual(await queued(), []);
    });

    test("two equal ids inside one batch: the first one wins", async () => {
      const [a, b, c] = [event({ dedup: "x" }), event({ dedup: "x" }), event()];
      assert.deepEqual(await accept([a, b, c]), [[1, a[0]]]);
    });

    test("concurrent requests with one id store one event", async () => {
      const results = await Promise.all(Array.from({ length: 50 }, () => accept([event({ dedup: "same" })])));
      assert.equal(results.filter((result) => result === null).length, 1);
      assert.equal(new Set(results.flatMap((result) => result ?? []).map(([, id]) => id)).size, 1);
    });

    test("an id is free again exactly 24 hours after the first event with it", async () => {
      const first = event({ dedup: "x" });
      await accept([first]);
      // A duplicate in between does not prolong the window.
      await accept([event({ dedup: "x" })], { now: T0 + DAY - 1000 });
      assert.deepEqual(await accept([event({ dedup: "x" })], { now: T0 + DAY - 1 }), [[0, first[0]]]);
      assert.equal(await accept([event({ dedup: "x" })], { now: T0 + DAY }), null);
    });

    test("the same id in another environment is another id", async () => {
      await accept([event({ dedup: "x" })]);
      assert.equal(await accept([event({ dedup: "x" })], { env: "production" }), null);
    });

    test("an event whose id the sender fixed is stored once", async () => {
      const seeded = event();
      assert.equal(await accept([seeded], { seeded: true }), null);
      assert.deepEqual(await accept([seeded], { seeded: true }), [[0, seeded[0]]]);
    });

    test("a repeated request whose events are here claims no deduplication id anew", async () => {
      const sent = event({ dedup: "order-1" });
      await accept([sent], { seeded: true });
      // The window is over: the request comes once more, and then another event of that id.
      const repeated = await accept([sent], { seeded: true, now: T0 + DAY });
      assert.deepEqual(repeated, [[0, sent[0]]]);
      assert.equal(await accept([event({ dedup: "order-1" })], { now: T0 + DAY + 1 }), null);
    });

    test("one bad event in a batch keeps the whole batch out, and nobody else's", async () => {
      const fine = event();
      const bad = event();
      (bad as unknown[])[4] = null; // data must not be null
      const results = await Promise.allSettled([
        accept([event({ dedup: "in-bad-batch" }), bad]),
        accept([fine]),
      ]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ["rejected", "fulfilled"],
      );
      assert.equal(await accept([event({ dedup: "in-bad-batch" })]), null);
      assert.deepEqual(await accept([fine], { seeded: true }), [[0, fine[0]]]);
    });

    test("environments are those that hold events", async () => {
      await accept([event()], { env: "production" });
      await accept([event(), event()]);
      assert.deepEqual(await engine.store.query("environments", {}), ["dev", "production"]);
      assert.equal(await engine.store.query("oldestEvent", { env: "dev" }), T0);
      assert.equal(await engine.store.query("oldestEvent", { env: "none" }), null);
    });

    test("old deduplication ids are removed a step at a time", async () => {
      await accept(["a", "b", "c"].map((dedup) => event({ dedup })));
      const expire = (now: number) => engine.store.execute("expireDeduplication", { now, limit: 2 });
      assert.equal(await expire(T0 + DAY - 1), 0);
      assert.deepEqual([await expire(T0 + DAY), await expire(T0 + DAY), await expire(T0 + DAY)], [2, 1, 0]);
    });
  });
}
