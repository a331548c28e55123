import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { type Json, NOON, readAll, startTestService, type TestService } from "./test-service.ts";

let service: TestService;
let seeded: { event: string; runs: string[] }[];

before(async () => {
  service = await startTestService();
  seeded = await service.seed([
    {
      name: "order/placed",
      data: { total: 12, city: "Bern" },
      idempotencyId: "o-1",
      runs: ["shop-confirm", "shop-audit"],
    },
    {
      name: "order/paid",
      data: { city: "BASEL", note: "100% \\ under_score" },
      source: { kind: "webhook", name: "stripe" },
    },
    { name: "user/joined", extra: { user: { id: 7 }, v: "2", cloudevent: { subject: "s" } } },
    // A day later, when the id may be used again.
    { name: "order/placed", idempotencyId: "o-1", at: NOON + 25 * 3_600_000 },
    { name: "Order/placed" },
    { name: "order_x" },
  ]);
  await service.seed([{ name: "order/placed", data: { city: "Bern" } }], "production");
});
after(() => service.close());

const ids = (body: Json): number[] =>
  body.data.map((row: Json) => seeded.findIndex(({ event }) => event === row.id));
const list = async (query: string) => ids((await service.get(`/v1/events${query}`)).body);

test("events come newest first, whole, and of one environment only", async () => {
  const { status, body } = await service.get("/v1/events");
  assert.equal(status, 200);
  assert.deepEqual(ids(body), [5, 4, 3, 2, 1, 0]);
  assert.deepEqual(body.page, { cursor: null, has_more: false });
  assert.deepEqual(body.data[5], {
    id: seeded[0]!.event,
    name: "order/placed",
    data: { total: 12, city: "Bern" },
    ts: "2026-05-01T12:00:00.000Z",
    received_at: "2026-05-01T12:00:00.000Z",
    idempotency_id: "o-1",
    source: { kind: "key", name: "default" },
    environment: "dev",
    v: null,
    user: null,
    size_bytes: 26,
    run_count: 2,
    runs: seeded[0]!.runs.map((id, i) => ({
      id,
      function_id: ["shop-confirm", "shop-audit"][i],
      status: "queued",
    })),
  });
  const { v, user, cloudevent } = body.data[3];
  assert.deepEqual({ v, user, cloudevent }, { v: "2", user: { id: 7 }, cloudevent: { subject: "s" } });
});

test("a summary is the same list without what the events carried", async () => {
  const whole = (await service.get("/v1/events?name=order/*,user/*&limit=3")).body;
  const { status, body } = await service.get("/v1/events?name=order/*,user/*&limit=3&fields=summary");
  assert.equal(status, 200);
  const without = whole.data.map(({ data, v, user, cloudevent, ...row }: Json) => row);
  assert.equal(without.length, 3);
  assert.deepEqual(body, { data: without, page: whole.page });
  const all = await readAll(service, "/v1/events?limit=2&fields=summary");
  assert.deepEqual(
    all.map(({ id }) => id),
    seeded.map(({ event }) => event).reverse(),
  );
  const [found] = (await service.get("/v1/events?q=b%C3%A4rn&fields=summary")).body.data;
  assert.equal(found, undefined);
  const [bern] = (await service.get("/v1/events?q=BERN&fields=summary")).body.data;
  assert.deepEqual(
    [bern.id, bern.size_bytes, bern.run_count, bern.runs.length],
    [seeded[0]!.event, 26, 2, 2],
  );
});

test("events are chosen by name, prefix, id, source, time and text", async () => {
  assert.deepEqual(await list("?name=order/placed"), [3, 0]);
  assert.deepEqual(await list("?name=order/*"), [3, 1, 0]);
  assert.deepEqual(await list("?name=order*"), [5, 3, 1, 0]);
  assert.deepEqual(await list("?name=order/paid,user/*"), [2, 1]);
  assert.deepEqual(await list("?name=*"), [5, 4, 3, 2, 1, 0]);
  assert.deepEqual(await list("?name=nothing"), []);
  assert.deepEqual(await list("?id=o-1"), [3, 0]);
  assert.deepEqual(await list("?id=o-1&name=user/*"), []);
  assert.deepEqual(await list("?id=o-1&name=order/placed"), [3, 0]);
  assert.deepEqual(await list(`?id=${seeded[4]!.event}&name=order*`), [], "names tell upper from lower case");
  assert.deepEqual(await list(`?id=${seeded[2]!.event}`), [2]);
  assert.deepEqual(await list("?source=stripe"), [1]);
  assert.deepEqual(await list("?source=webhook"), [1]);
  assert.deepEqual(await list("?source=key&name=order/*"), [3, 0]);
  const second = new Date(NOON + 1_000).toISOString();
  assert.deepEqual(await list(`?before=${second}`), [0]);
  assert.deepEqual(await list(`?after=${second}&name=order/*`), [3, 1]);
  assert.deepEqual(await list(`?after=${NOON + 1_000}&before=${NOON + 3_000}`), [2, 1]);
  assert.deepEqual(await list("?q=bern"), [0]);
  assert.deepEqual(await list("?q=basel"), [1]);
  assert.deepEqual(await list("?q=PAID"), [1]);
  assert.deepEqual(await list("?q=O-1"), [3, 0]);
  assert.deepEqual(await list(`?q=${seeded[2]!.event.toLowerCase()}`), [2]);
  assert.deepEqual(await list("?q=%25"), [1], "% is a character like any other");
  assert.deepEqual(await list("?q=r_s"), [1]);
  assert.deepEqual(await list("?q=city&name=order/placed"), [0]);
  assert.deepEqual(await list("?name=&q=&source=&id="), [5, 4, 3, 2, 1, 0], "an empty parameter is none");
});

test("a parameter that cannot be read is refused by its name", async () => {
  for (const [query, field] of [
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["limit=abc", "limit"],
    ["cursor=abc", "cursor"],
    [`cursor=${Buffer.from('["x",1]').toString("base64url")}`, "cursor"],
    ["after=yesterday", "after"],
    ["before=2026-13-01", "before"],
    [`name=${Array.from({ length: 21 }, (_, i) => `n${i}`).join()}`, "name"],
    [`q=${"x".repeat(201)}`, "q"],
  ]) {
    const { status, body } = await service.get(`/v1/events?${query}`);
    assert.equal(status, 400, query!);
    assert.equal(body.code, "invalid_request");
    assert.equal(body.field, field);
  }
});

test("one event is found by its id, else by the id its sender gave it, the newest first", async () => {
  const byId = await service.get(`/v1/events/${seeded[0]!.event}`);
  assert.equal(byId.body.data.id, seeded[0]!.event);
  assert.equal(byId.body.data.run_count, 2);
  const bySender = await service.get("/v1/events/o-1");
  assert.equal(bySender.body.data.id, seeded[3]!.event);
  const none = await service.get("/v1/events/o-2");
  assert.equal(none.status, 404);
  assert.deepEqual(none.body, { error: "There is no such event.", code: "not_found", status: 404 });
});

test("the runs of an event are listed, newest first", async () => {
  const { body } = await service.get(`/v1/events/${seeded[0]!.event}/runs`);
  assert.deepEqual(
    body.data.map((run: Json) => run.id),
    [...seeded[0]!.runs].reverse(),
  );
  const paged = await readAll(service, `/v1/events/${seeded[0]!.event}/runs?limit=1`);
  assert.equal(paged.length, 2);
  assert.deepEqual((await service.get(`/v1/events/${seeded[1]!.event}/runs`)).body.data, []);
  assert.equal((await service.get("/v1/events/none/runs")).status, 404);
});

test("a replay sends the event again under a new id", async () => {
  const { status, body } = await service.send("POST", "/v1/events/o-1/replay");
  assert.equal(status, 200);
  assert.deepEqual(body, { data: { id: "01REPLAYED" } });
  assert.deepEqual(service.calls.at(-1), ["replay", "dev", seeded[3]!.event]);
  assert.equal((await service.send("POST", "/v1/events/none/replay")).status, 404);
});

test("statistics count per bucket, without gaps", async () => {
  const { status, body } = await service.get(
    `/v1/events/stats?after=${NOON - 2_000}&before=${NOON + 4_000}&bucket=2s`,
  );
  assert.equal(status, 200);
  assert.deepEqual(body.data, {
    after: "2026-05-01T11:59:58.000Z",
    before: "2026-05-01T12:00:04.000Z",
    bucket_ms: 2_000,
    counted_from: "2026-05-01T11:59:58.000Z",
    outcomes_from: "2026-05-01T11:59:58.000Z",
    buckets: [
      { start: "2026-05-01T11:59:58.000Z", count: 0, triggered: 0, failed: 0 },
      { start: "2026-05-01T12:00:00.000Z", count: 2, triggered: 1, failed: 0 },
      { start: "2026-05-01T12:00:02.000Z", count: 1, triggered: 0, failed: 0 },
    ],
  });
  const day = (await service.get("/v1/events/stats")).body.data;
  assert.equal(day.bucket_ms, 900_000);
  assert.equal(day.buckets.length, 97);
  assert.equal(
    day.buckets.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
    3,
  );
  for (const [query, field] of [
    ["bucket=1s", "bucket"],
    ["bucket=10ms", "bucket"],
    ["bucket=soon", "bucket"],
    [`after=${NOON}&before=${NOON}`, "after"],
  ]) {
    const refused = await service.get(`/v1/events/stats?${query}`);
    assert.equal(refused.status, 400);
    assert.equal(refused.body.field, field);
  }
});

test("statistics of some names tell which of their events started runs and which failed", async () => {
  const [runId] = seeded[0]!.runs;
  await service.transition(runId!, {
    end: { status: "failed", output: null, error: '{"name":"Error","message":"no"}' },
  });
  const stats = async (name: string) => {
    const query = `after=${NOON}&before=${NOON + 60_000}&bucket=1h`;
    const { buckets } = (await service.get(`/v1/events/stats?${query}&name=${name}`)).body.data;
    const [{ count, triggered, failed }] = buckets;
    return [count, triggered, failed];
  };
  assert.deepEqual(await stats("order/placed"), [1, 1, 1]);
  assert.deepEqual(await stats("order/*"), [2, 1, 1]);
  assert.deepEqual(await stats("user/*"), [1, 0, 0]);
});

test("the names of events are listed in order, each once, by their beginning", async () => {
  const names = async (query: string) => (await service.get(`/v1/events/names${query}`)).body.data;
  assert.deepEqual(await names(""), ["Order/placed", "order/paid", "order/placed", "order_x", "user/joined"]);
  assert.deepEqual(await names("?prefix=order/"), ["order/paid", "order/placed"]);
  assert.deepEqual(await names("?limit=1"), ["Order/placed"]);
});

test("events are sent with the rights of the caller, one or many", async () => {
  const answer = await service.send("POST", "/v1/events", { name: "order/placed", data: {} });
  assert.deepEqual(answer.body, { data: { ids: ["01NEWEVENT"] } });
  const [name, env, body] = service.calls.at(-1)!;
  assert.deepEqual([name, env, String(body)], ["send", "dev", '{"name":"order/placed","data":{}}']);
  assert.equal((await service.send("POST", "/v1/events", "text")).status, 400);
});

test("an event of a webhook names the request it was made of, and lists do not", async () => {
  const webhook = await service.send("POST", "/v1/webhooks", { name: "Orders", environment: "dev" });
  const { webhooks } = service.parts as unknown as { webhooks: Webhooks };
  const incoming = { method: "POST", path: "/e/…", query: "", rawHeaders: [], body: Buffer.from("{}") };
  const { eventIds } = await webhooks.receiver.receive(webhooks.directory.byId(webhook.body.data.id)!, {
    ...incoming,
    address: "127.0.0.1",
  });
  const [request] = (await service.get(`/v1/webhooks/${webhook.body.data.id}/requests`)).body.data;
  assert.deepEqual(request.event_ids, eventIds);
  const { data } = (await service.get(`/v1/events/${eventIds[0]}`)).body;
  assert.deepEqual(data.webhook_request, { webhook_id: webhook.body.data.id, request_id: request.id });
  const listed = (await service.get(`/v1/events?id=${eventIds[0]}`)).body.data;
  assert.equal(listed.length, 1);
  assert.ok(!("webhook_request" in listed[0]));
  // One that came with a key, and one whose request is gone.
  for (const place of [0, 1]) {
    const other = (await service.get(`/v1/events/${seeded[place]!.event}`)).body.data;
    assert.equal(other.webhook_request, null);
  }
});
