import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { createUlidGenerator } from "@svc/protocol";
import type { Clock } from "../clock.ts";
import { type Logger, silentLogger } from "../observe/log.ts";
import type { AcceptedEvent, PlannedRun } from "./commands/accept-events.ts";
import { type Retention, startRetention } from "./retention.ts";
import { openSqlite } from "./sqlite/open.ts";
import type { Store } from "./store.ts";

const DAY = 86_400_000;
const T0 = 1_700_000_000_000;

describe("retention", () => {
  let store: Store;
  let now = T0;
  let retention: Retention;
  let nextId: (now: number) => string;
  /** The pauses between steps take no time here, the minute between sweeps never ends. */
  const clock: Clock = {
    now: () => now,
    after(ms, callback) {
      if (ms < 1_000) setImmediate(callback);
      return () => {};
    },
  };

  beforeEach(async () => {
    now = T0;
    nextId = createUlidGenerator();
    store = await openSqlite({ dataDir: null, now: clock.now });
  });
  afterEach(async () => {
    retention.stop();
    await store.close();
  });

  const accept = (count: number, fields: { dedup?: boolean; data?: string; run?: boolean } = {}) => {
    const events = Array.from({ length: count }, (_, i): AcceptedEvent => {
      const id = `${now}-${i}`;
      const run: PlannedRun = [`run-${id}`, "fn", "app", now];
      return [
        id,
        "a/b",
        now,
        fields.dedup ? `id-${i}` : null,
        fields.data ?? "{}",
        null,
        fields.run ? [run] : null,
      ];
    });
    return store.execute("acceptEvents", {
      env: "dev",
      now,
      source: "key",
      sourceName: null,
      events,
      seeded: false,
    });
  };
  /** Keep requests of a webhook. @returns their ids */
  const receive = async (count: number, body = "") => {
    const requests = Array.from({ length: count }, () => ({
      webhookId: "wh",
      id: nextId(now),
      receivedAt: now,
      address: "127.0.0.1",
      size: body.length,
      branch: null,
      status: "paused" as const,
      method: "POST",
      path: "/e/…",
      query: "",
      headers: "{}",
      body,
      body_encoding: "utf8" as const,
    }));
    await store.execute("receiveWebhookRequests", { requests });
    return requests.map(({ id }) => id);
  };
  const kept = async () =>
    (
      await store.query("listWebhookRequests", {
        webhookId: "wh",
        statuses: null,
        cursor: null,
        limit: 10_000,
      })
    ).requests.map(({ id }) => id);
  const start = (options: { retentionMs?: number; retentionBytes?: number } = {}) => {
    const { retentionMs = 30 * DAY, retentionBytes = null } = options;
    retention = startRetention({
      store,
      clock,
      logger: silentLogger,
      retentionMs,
      retentionBytes,
      auditRetentionMs: 365 * DAY,
    });
    return retention;
  };

  test("removes what makes the store too large although its oldest event has to stay", async () => {
    await accept(1, { run: true });
    now += 20 * DAY;
    await accept(50, { data: `{"text":"${"x".repeat(20_000)}"}` });
    now += DAY;
    assert.equal((await start({ retentionBytes: 300_000 }).sweep()).events, 50);
    assert.equal(await store.query("oldestEvent", { env: "dev" }), T0);
  });

  test("removes events that are over age, however many, and leaves the others", async () => {
    await accept(450);
    now += DAY;
    await accept(3);
    now = T0 + 30 * DAY + 1;
    assert.equal((await start().sweep()).events, 450);
    assert.equal(await store.query("oldestEvent", { env: "dev" }), T0 + DAY);
  });

  test("keeps old events whose runs are in flight", async () => {
    await accept(5, { run: true });
    now += 31 * DAY;
    assert.deepEqual(await start().sweep(), { events: 0, runs: 0, ids: 0, requests: 0 });
  });

  test("removes deduplication ids a day after their first event", async () => {
    await accept(250, { dedup: true });
    now += DAY - 1;
    assert.equal((await start().sweep()).ids, 0);
    now += 1;
    assert.equal((await retention.sweep()).ids, 250);
  });

  test("removes the oldest when the store is larger than it may be", async () => {
    const data = JSON.stringify({ text: "x".repeat(4_000) });
    for (let day = 0; day < 10; day++) {
      await accept(200, { data });
      now += DAY;
    }
    const bound = 4 * 1024 * 1024;
    assert.ok((await store.size()) > bound);
    const { events } = await start({ retentionBytes: bound }).sweep();
    assert.ok(events > 0 && events < 2_000, String(events));
    assert.ok((await store.size()) <= bound);
  });

  test("entries of the audit log go when they are over their own age, however many", async () => {
    const nextId = createUlidGenerator();
    const record = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => {
          const author = { auditId: nextId(now), now, kind: "service", id: null, name: "t", address: null };
          return store.execute("recordRefusedLogins", { author, count: 1, users: [], addresses: [] });
        }),
      );
    const kept = async () => {
      const all = { actor: null, action: null, target: null, after: null, before: null, cursor: null };
      return (await store.query("listAuditLog", { ...all, limit: 200, maxBytes: 1e6 })).entries.length;
    };
    await record(450);
    now += 365 * DAY;
    await record(3);
    start();
    await retention.sweep();
    assert.equal(await kept(), 200, "those of exactly that age stay");
    now += 1;
    await retention.sweep();
    assert.equal(await kept(), 3);
  });

  test("removes webhook requests that are over age, however many, and leaves the others", async () => {
    await receive(450);
    now += 1;
    const left = await receive(3);
    now = T0 + 30 * DAY + 1;
    assert.equal((await start().sweep()).requests, 450);
    assert.deepEqual(await kept(), left.toReversed());
    now += 1;
    assert.equal((await retention.sweep()).requests, 3);
    assert.deepEqual(await kept(), []);
  });

  test("removes the oldest webhook requests along with events when the store is too large", async () => {
    const text = "x".repeat(4_000);
    const requests: string[] = [];
    for (let day = 0; day < 10; day++) {
      await accept(100, { data: JSON.stringify({ text }) });
      requests.push(...(await receive(100, text)));
      now += DAY;
    }
    const bound = 4 * 1024 * 1024;
    assert.ok((await store.size()) > bound);
    const removed = await start({ retentionBytes: bound }).sweep();
    assert.ok(removed.events > 0 && removed.events < 1_000, String(removed.events));
    assert.ok(removed.requests > 0 && removed.requests < 1_000, String(removed.requests));
    assert.ok(Math.abs(removed.events - removed.requests) <= 100, JSON.stringify(removed));
    assert.deepEqual(await kept(), requests.slice(removed.requests).toReversed());
    assert.ok((await store.size()) <= bound);
  });

  test("removes webhook requests by size where there is no event at all", async () => {
    for (let day = 0; day < 10; day++) {
      await receive(50, "x".repeat(10_000));
      now += DAY;
    }
    const bound = 2 * 1024 * 1024;
    assert.ok((await start({ retentionBytes: bound }).sweep()).requests > 0);
    assert.ok((await store.size()) <= bound);
    assert.notDeepEqual(await kept(), []);
  });

  test("logs how many webhook requests went, when nothing else did", async () => {
    await receive(2);
    now += 31 * DAY;
    const logged = Promise.withResolvers<unknown[]>();
    const logger: Logger = { ...silentLogger, info: (...line) => logged.resolve(line) };
    let sweep = () => {};
    const soon: Clock = {
      now: () => now,
      after(ms, callback) {
        if (ms < 1_000) setImmediate(callback);
        else sweep = callback;
        return () => {};
      },
    };
    retention = startRetention({
      store,
      clock: soon,
      logger,
      retentionMs: 30 * DAY,
      retentionBytes: null,
      auditRetentionMs: 365 * DAY,
    });
    sweep();
    assert.deepEqual(await logged.promise, [
      "removed what was over age",
      { events: 0, runs: 0, requests: 2 },
    ]);
  });
});
