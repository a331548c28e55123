import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createUlidGenerator } from "@svc/protocol";
import type { AcceptedEvent, PlannedRun } from "../store/commands/accept-events.ts";
import { NOON, startTestService, type TestService } from "./test-service.ts";

/** Enough to count for some milliseconds; asked often enough to go on for half a second. */
const EVENTS = 20_000;
const DAY = 86_400_000;

let service: TestService;
/** Queries that were asked of the store. */
let asked = 0;

before(async () => {
  service = await startTestService();
  const { store } = service;
  const nextId = createUlidGenerator();
  const events = Array.from({ length: EVENTS }, (): AcceptedEvent => {
    const run: PlannedRun = [nextId(NOON), "shop-confirm", "shop", NOON];
    return [nextId(NOON), "order/placed", NOON, null, "{}", null, [run]];
  });
  const args = { env: "dev", now: NOON, source: "key" as const, sourceName: "default", seeded: false };
  await store.execute("acceptEvents", { ...args, events });
  const { query } = store;
  store.query = (...args) => {
    asked++;
    return query(...args);
  };
});
after(() => service.close());

const range = `after=${NOON - DAY}&before=${NOON + DAY}&bucket=1h`;
for (const [path, times] of [
  [`/v1/events/stats?${range}`, 20],
  [`/v1/events/stats?name=order/*&${range}`, 20],
  [`/v1/runs/stats?${range}`, 100],
  [`/v1/functions/stats?${range}`, 100],
  [`/v1/functions/shop-confirm/stats?${range}`, 20],
] as const) {
  test(`lists, single things, runs and commits do not wait for ${path.replace(range, "…")}`, async () => {
    const { store } = service;
    asked = 0;
    let answered = 0;
    const statistics = Array.from({ length: times }, async () => {
      assert.equal((await service.get(path)).status, 200);
      answered++;
    });
    // All of them stand in line now: what follows is behind, unless it has a line of its own.
    while (asked < times) await new Promise((resolve) => setImmediate(resolve));
    const list = await service.get("/v1/events?limit=100");
    assert.equal(list.body.data.length, 100);
    assert.equal((await service.get("/v1/runs?limit=100")).body.data.length, 100);
    assert.equal((await service.get(`/v1/events/${list.body.data[0].id}`)).status, 200);
    const due = { env: "dev", appId: "shop", after: { dueAt: -1, id: "" }, until: NOON, limit: 100 };
    assert.equal((await store.query("dueItems", due, "runs")).length, 100);
    await service.seed([{ name: "hot/path" }]);
    assert.ok(answered < times, "all statistics were answered first");
    await Promise.all(statistics);
  });
}
