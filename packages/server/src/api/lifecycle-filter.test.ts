/** Leaving out the events in which the service tells how runs ended. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { StoredEvents } from "./event-feed.ts";
import { createLiveFilter } from "./event-filter.ts";
import { type Json, NOON, startTestService, type TestService } from "./test-service.ts";

let service: TestService;

before(async () => {
  service = await startTestService();
  const own = { kind: "service" as const, name: "shop-confirm" };
  await service.seed([
    { name: "order/placed", runs: ["shop-confirm"] },
    { name: "svc/function.finished", source: own, runs: ["shop-audit"] },
    { name: "svc/function.failed", source: own },
    { name: "inngest/function.cancelled", source: own },
    { name: "svc/function.invoked", source: { kind: "api", name: "invoke" } },
  ]);
});
after(() => service.close());

const names = async (query: string) =>
  (await service.get(`/v1/events?${query}`)).body.data.map(({ name }: Json) => name);
const counted = async (query: string) => {
  const range = `after=${NOON - 60_000}&before=${NOON + 60_000}&bucket=1h`;
  const { buckets } = (await service.get(`/v1/events/stats?${range}&${query}`)).body.data;
  return buckets
    .filter(({ count }: Json) => count !== 0)
    .map(({ count, triggered }: Json) => [count, triggered]);
};

test("they are there unless a list is asked to leave them out", async () => {
  assert.equal((await names("")).length, 5);
  assert.equal((await names("lifecycle=true")).length, 5);
  assert.deepEqual(await names("lifecycle=false"), ["svc/function.invoked", "order/placed"]);
  assert.deepEqual(await names("lifecycle=false&fields=summary"), ["svc/function.invoked", "order/placed"]);
  assert.deepEqual(await names("lifecycle=false&name=svc/*"), ["svc/function.invoked"]);
  assert.deepEqual(await names("lifecycle=false&source=service"), []);
});

test("statistics leave them out, and the runs they started", async () => {
  assert.deepEqual(await counted(""), [[5, 2]]);
  assert.deepEqual(await counted("lifecycle=false"), [[2, 1]]);
  assert.deepEqual(await counted("lifecycle=false&name=svc/*"), [[1, 0]]);
  assert.deepEqual(await counted("lifecycle=false&name=svc/function.failed"), []);
});

test("a live stream leaves them out", () => {
  const accepts = createLiveFilter({ lifecycle: false } as never);
  const stored = { env: "dev", source: { kind: "service", name: null } } as unknown as StoredEvents;
  const passes = (name: string) => accepts(stored, ["id", name, NOON, null, "{}", null, null]);
  assert.deepEqual(["order/placed", "svc/function.finished", "svc/function.invoked"].map(passes), [
    true,
    false,
    true,
  ]);
});

test("anything but true and false is refused", async () => {
  for (const path of ["/v1/events", "/v1/events/stats", "/v1/events/stream"]) {
    const { status, body } = await service.get(`${path}?lifecycle=no`);
    assert.deepEqual([status, body.field], [400, "lifecycle"], path);
  }
});
