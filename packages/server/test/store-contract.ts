/** What every engine of the store must do. An engine without this suite does not exist. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { createUlidGenerator } from "@svc/protocol";
import type { AcceptEventsArgs, AcceptedEvent, PlannedRun } from "../src/store/commands/accept-events.ts";
import type { StepWrite, Transition } from "../src/store/commands/apply-transition.ts";
import { MAX_ENVIRONMENTS } from "../src/store/commands/create-environment.ts";
import { MAX_KEYS, type NewKeyRecord } from "../src/store/commands/create-key.ts";
import type { Author } from "../src/store/commands/record-change.ts";
import type { UpdateEnvironmentArgs } from "../src/store/commands/update-environment.ts";
import type { Store } from "../src/store/store.ts";
import { webhookContract } from "./webhook-contract.ts";

const DAY = 86_400_000;
const T0 = 1_700_000_000_000;
const FAR = Number.MAX_SAFE_INTEGER;

/** Run the suite on an engine. `open` gives an empty store. */
export function storeContract(
  engine: string,
  open: () => Promise<{ store: Store; discard(): Promise<void> }>,
) {
  describe(`the store on ${engine}`, () => {
    let store: Store;
    let discard: () => Promise<void>;
    const nextId = createUlidGenerator();

    beforeEach(async () => {
      ({ store, discard } = await open());
    });
    afterEach(() => discard());

    const event = (fields: Partial<{ id: string; name: string; dedup: string; runs: PlannedRun[] }> = {}) =>
      [
        fields.id ?? nextId(T0),
        fields.name ?? "shop/order.created",
        T0,
        fields.dedup ?? null,
        '{"n":1}',
        null,
        fields.runs ?? null,
      ] satisfies AcceptedEvent;
    const accept = (events: AcceptedEvent[], more: Partial<AcceptEventsArgs> = {}) =>
      store.execute("acceptEvents", {
        env: "dev",
        now: T0,
        source: "key",
        sourceName: null,
        events,
        seeded: false,
        ...more,
      });
    const queued = async (until = FAR) =>
      (
        await store.query("dueItems", {
          env: "dev",
          appId: "app",
          after: { dueAt: -1, id: "" },
          until,
          limit: 100,
        })
      ).map((item) => item.id);
    const stateOf = (runId: string, env = "dev") => store.query("runState", { env, runId });
    const startRun = async (runId = nextId(T0)) => {
      const started = event({ runs: [[runId, "app-fn", "app", T0]] });
      await accept([started]);
      return { runId, eventId: started[0] };
    };
    const transition = (runId: string, fields: Partial<Transition> = {}): Transition => ({
      env: "dev",
      runId,
      appId: "app",
      functionId: "app-fn",
      now: T0 + 10,
      item: runId,
      keepItem: false,
      startedAt: T0 + 5,
      requestVersion: 2,
      steps: [],
      failedAttempts: [],
      enqueue: [],
      end: null,
      emit: [],
      ...fields,
    });
    const step = (fields: Partial<StepWrite> = {}): StepWrite => ({
      id: "a".repeat(40),
      name: "first",
      op: "StepRun",
      status: "completed",
      position: 0,
      input: null,
      output: "1",
      error: null,
      queued_at: T0,
      started_at: T0,
      ended_at: T0 + 1,
      wakes_at: null,
      ...fields,
    });

    test("a repeated request whose events are here claims no deduplication id anew", async () => {
      const sent = event({ dedup: "order-1" });
      await accept([sent], { seeded: true });
      // The window is over: the request comes once more, and then another event of that id.
      const repeated = await accept([sent], { seeded: true, now: T0 + DAY });
      assert.deepEqual(repeated, [[0, sent[0]]]);
      assert.equal(await accept([event({ dedup: "order-1" })], { now: T0 + DAY + 1 }), null);
    });

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

    test("a transition writes steps and next items and takes its item", async () => {
      const { runId } = await startRun();
      const next = { id: nextId(T0), kind: "call" as const, step_id: "step", attempt: 0, due_at: T0 + 50 };
      assert.equal(
        await store.execute("applyTransition", transition(runId, { steps: [step()], enqueue: [next] })),
        true,
      );
      assert.deepEqual(await queued(), [next.id]);
      const state = await stateOf(runId);
      assert.equal(state?.run.status, "running");
      assert.equal(state?.run.request_version, 2);
      assert.equal(state?.steps[0]?.output, "1");
    });

    test("a transition whose item is gone changes nothing", async () => {
      const { runId } = await startRun();
      await store.execute(
        "applyTransition",
        transition(runId, { end: { status: "completed", output: "1", error: null } }),
      );
      const late = transition(runId, {
        steps: [step()],
        end: { status: "failed", output: null, error: "{}" },
        emit: [event()],
      });
      assert.equal(await store.execute("applyTransition", late), false);
      const state = await stateOf(runId);
      assert.equal(state?.run.status, "completed");
      assert.equal(state?.steps.length, 0);
    });

    test("a checkpoint keeps its item and counts its attempts anew", async () => {
      const { runId } = await startRun();
      const again = { id: nextId(T0), kind: "call" as const, step_id: "step", attempt: 3, due_at: T0 };
      await store.execute("applyTransition", transition(runId, { enqueue: [again] }));
      await store.execute(
        "applyTransition",
        transition(runId, { item: again.id, keepItem: true, steps: [step()] }),
      );
      assert.deepEqual(
        (await stateOf(runId))?.queue.map(({ id, attempt }) => [id, attempt]),
        [[again.id, 0]],
      );
    });

    test("the end of a run empties its queue and stores the events that tell of it with their runs", async () => {
      const { runId } = await startRun();
      const listener = nextId(T0);
      const told = event({ name: "svc/function.finished", runs: [[listener, "app-listener", "app", T0]] });
      await store.execute(
        "applyTransition",
        transition(runId, { end: { status: "completed", output: '"ok"', error: null }, emit: [told] }),
      );
      assert.deepEqual(await queued(), [listener]);
      const state = await stateOf(listener);
      assert.equal(state?.event.source_kind, "service");
      assert.equal((await stateOf(runId))?.run.output, '"ok"');
    });

    test("ending a run that has ended says so", async () => {
      const { runId } = await startRun();
      const end = { status: "cancelled" as const, output: null, error: null };
      const args = { env: "dev", runId, now: T0, end, emit: [] };
      assert.equal(await store.execute("endRun", args), true);
      assert.equal(await store.execute("endRun", args), false);
      assert.deepEqual(await queued(), []);
    });

    test("due items come in the order they are due, page by page, for one app", async () => {
      const runs = [30, 10, 20].map((after): PlannedRun => [nextId(T0), "app-fn", "app", T0 + after]);
      await accept([event({ runs: [...runs, [nextId(T0), "other-fn", "other", T0]] })]);
      assert.deepEqual(await queued(T0 + 20), [runs[1]![0], runs[2]![0]]);
      const first = await store.query("dueItems", {
        env: "dev",
        appId: "app",
        after: { dueAt: -1, id: "" },
        until: FAR,
        limit: 1,
      });
      const { due_at: dueAt, id } = first[0]!;
      const rest = await store.query("dueItems", {
        env: "dev",
        appId: "app",
        after: { dueAt, id },
        until: FAR,
        limit: 9,
      });
      assert.deepEqual(
        [...first, ...rest].map((item) => item.due_at - T0),
        [10, 20, 30],
      );
    });

    test("old deduplication ids are removed a step at a time", async () => {
      await accept(["a", "b", "c"].map((dedup) => event({ dedup })));
      const expire = (now: number) => store.execute("expireDeduplication", { now, limit: 2 });
      assert.equal(await expire(T0 + DAY - 1), 0);
      assert.deepEqual([await expire(T0 + DAY), await expire(T0 + DAY), await expire(T0 + DAY)], [2, 1, 0]);
    });

    test("purging removes old events with their finished runs and keeps those with a run in flight", async () => {
      const done = await startRun();
      const inFlight = await startRun();
      await store.execute(
        "applyTransition",
        transition(done.runId, { steps: [step()], end: { status: "completed", output: "1", error: null } }),
      );
      await accept([event()], { now: T0 + 1000 });
      const purge = (after: { receivedAt: number; id: string }) =>
        store.execute("purge", { env: "dev", before: T0 + 500, limit: 1, after });
      let result = await purge({ receivedAt: -1, id: "" });
      let events = result.events;
      while (result.next !== null) {
        result = await purge(result.next);
        events += result.events;
      }
      assert.equal(events, 1);
      assert.equal(await stateOf(done.runId), null);
      assert.equal((await stateOf(inFlight.runId))?.run.status, "queued");
    });

    test("unfinished runs of archived functions are found, others are not", async () => {
      await startRun();
      assert.deepEqual(await store.query("orphanedRuns", { limit: 10 }), []);
    });

    test("environments are those that hold events", async () => {
      await accept([event()], { env: "production" });
      await accept([event(), event()]);
      assert.deepEqual(await store.query("environments", {}), ["dev", "production"]);
      assert.equal(await store.query("oldestEvent", { env: "dev" }), T0);
      assert.equal(await store.query("oldestEvent", { env: "none" }), null);
    });

    const author = (now = T0): Author => ({
      auditId: nextId(now),
      now,
      kind: "user",
      id: "u1",
      name: "Ada",
      address: "192.0.2.1",
    });
    const newKey = (fields: Partial<NewKeyRecord> = {}): NewKeyRecord => {
      const id = nextId(T0);
      const none = { sealed: null, scopes: null, event_filter: null, ip_filter: null, rate_limit: null };
      const key = { id, kind: "event" as const, env: "production", name: "web", hash: id, hint: "…" };
      return { ...key, ...none, signs_from: null, ...fields };
    };
    const livingKeys = async (now = T0) =>
      (await store.query("loadAccess", { now })).keys.map(({ id }) => id);
    const environmentOf = async (id: string) =>
      (await store.query("loadAccess", { now: T0 })).environments.find((each) => each.id === id);

    test("a key lives until it is revoked or its time is over", async () => {
      const [kept, revoked, timed] = [newKey(), newKey(), newKey({ expires_at: T0 + 5 })];
      for (const key of [kept, revoked, timed]) {
        assert.equal(await store.execute("createKey", { author: author(), key }), "created");
      }
      assert.equal(await store.execute("revokeKey", { author: author(), id: revoked.id }), true);
      assert.equal(await store.execute("revokeKey", { author: author(), id: revoked.id }), false);
      assert.deepEqual(await livingKeys(T0 + 4), [kept.id, timed.id].sort());
      assert.deepEqual(await livingKeys(T0 + 5), [kept.id]);
      const late = { author: author(T0 + 5), id: timed.id };
      assert.equal(await store.execute("revokeKey", late), false);
      assert.equal(await store.execute("updateKey", { ...late, change: { name: "x" } }), false);
    });

    test("a rotation adds one key and ends the other, or does neither", async () => {
      const [old, fresh, another] = [newKey(), newKey(), newKey()];
      await store.execute("createKey", { author: author(), key: old });
      const rotate = (key: NewKeyRecord, expiresAt: number, now = T0) =>
        store.execute("rotateKey", { author: author(now), id: old.id, expiresAt, key });
      assert.equal(await rotate(fresh, T0 + 100), "rotated");
      // A second rotation does not prolong the life of the old one.
      assert.equal(await rotate(another, T0 + 500), "rotated");
      assert.deepEqual(await livingKeys(T0 + 99), [old.id, fresh.id, another.id].sort());
      assert.deepEqual(await livingKeys(T0 + 100), [fresh.id, another.id].sort());
      assert.equal(await rotate(newKey(), T0 + 900, T0 + 100), "gone");
      // Its hash is taken: nothing of the rotation is written.
      const clash = {
        author: author(),
        id: fresh.id,
        expiresAt: T0 + 1,
        key: newKey({ hash: another.hash }),
      };
      await assert.rejects(store.execute("rotateKey", clash));
      assert.deepEqual(await livingKeys(T0 + 100), [fresh.id, another.id].sort());
    });

    test("a change of a key changes what it names and nothing else", async () => {
      const key = newKey({
        rate_limit: '{"requests":1,"per":"hour"}',
        event_filter: '{"allow":[],"deny":[]}',
      });
      await store.execute("createKey", { author: author(), key });
      const change = { name: "renamed", rate_limit: null };
      assert.equal(await store.execute("updateKey", { author: author(), id: key.id, change }), true);
      const [stored] = (await store.query("loadAccess", { now: T0 })).keys;
      assert.deepEqual(
        [stored?.name, stored?.rate_limit, stored?.event_filter, stored?.hash],
        ["renamed", null, key.event_filter, key.hash],
      );
    });

    test("there are no more than 2,000 living keys", async () => {
      await Promise.all(
        Array.from({ length: MAX_KEYS }, () =>
          store.execute("createKey", { author: author(), key: newKey({ expires_at: T0 + 10 }) }),
        ),
      );
      const more = (now: number) => store.execute("createKey", { author: author(now), key: newKey() });
      assert.equal(await more(T0 + 9), "too_many");
      assert.equal(await more(T0 + 10), "created");
    });

    test("dead keys are removed once they have been dead for long enough", async () => {
      const [living, revoked, expired] = [newKey(), newKey(), newKey({ expires_at: T0 + 20 })];
      for (const key of [living, revoked, expired])
        await store.execute("createKey", { author: author(), key });
      await store.execute("revokeKey", { author: author(T0 + 10), id: revoked.id });
      const remove = (before: number) => store.execute("removeDeadKeys", { before });
      assert.deepEqual(
        [await remove(T0 + 10), await remove(T0 + 11), await remove(T0 + 20), await remove(FAR)],
        [0, 1, 0, 1],
      );
      assert.deepEqual(await livingKeys(), [living.id]);
    });

    test("an environment is archived when it was not used since, and its settings change one by one", async () => {
      const create = { author: author(), id: "e1", name: "a", type: "branch" } as const;
      await store.execute("createEnvironment", create);
      const used = { now: T0 + 50, environments: ["e1"], keys: [], sessions: [], users: [] };
      await store.execute("touchAccess", used);
      const archive = (unusedSince: number) =>
        store.execute("archiveEnvironment", { author: author(), id: "e1", archived: true, unusedSince });
      assert.deepEqual([await archive(T0 + 49), await archive(T0 + 50)], [false, true]);
      const update = (change: UpdateEnvironmentArgs["change"], id = "e1") =>
        store.execute("updateEnvironment", { author: author(), id, change });
      assert.equal(await update({ auto_archive: 0 }), true);
      assert.equal(await update({ max_request_bytes: 5 }), true);
      assert.equal(await update({ max_request_bytes: 5 }, "none"), false);
      const stored = await environmentOf("e1");
      assert.deepEqual([stored?.auto_archive, stored?.max_request_bytes], [0, 5]);
    });

    test("there are no more than 2,000 living environments, and no way round it", async () => {
      const create = (id: string) =>
        store.execute("createEnvironment", { author: author(), id, name: id, type: "branch" });
      const archive = (id: string, archived: boolean) =>
        store.execute("archiveEnvironment", { author: author(), id, archived });
      await Promise.all(Array.from({ length: MAX_ENVIRONMENTS }, (_, i) => create(`e${i}`)));
      assert.equal(await create("one-more"), "too_many");
      assert.equal(await archive("e0", true), true);
      assert.equal(typeof (await create("one-more")), "object");
      assert.equal(await archive("e0", false), "too_many");
      assert.equal(await archive("e1", true), true);
      assert.equal(await archive("e0", false), true);
    });

    test("after closing, commands and queries are refused as unavailable", async () => {
      await store.close();
      await assert.rejects(accept([event()]), { code: "unavailable" });
      await assert.rejects(stateOf("x"), { code: "unavailable" });
    });

    test("commands given before closing are made durable by it", async () => {
      const work = Array.from({ length: 500 }, () => accept([event()]));
      const closing = store.close();
      await Promise.all([...work, closing]);
    });
  });
  webhookContract(engine, open);
}
