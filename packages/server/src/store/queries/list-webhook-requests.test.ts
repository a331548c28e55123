import assert from "node:assert/strict";
import { test } from "node:test";
import { openSqlite } from "../sqlite/open.ts";

test("a list is whole and in order, and does not carry what unrouted requests wait to become", async (t) => {
  const store = await openSqlite({ dataDir: null, now: () => 1 });
  t.after(() => store.close());
  const request = {
    webhookId: "w",
    receivedAt: 1,
    address: "",
    size: 1,
    branch: null,
    status: "pending" as const,
  };
  const payload = {
    method: "POST",
    path: "",
    query: "",
    headers: "{}",
    body: "",
    body_encoding: "utf8" as const,
  };
  for (const id of ["01", "02", "03"]) {
    await store.execute("receiveWebhookRequests", { requests: [{ ...request, ...payload, id }] });
    await store.execute("finishWebhookRequest", {
      webhookId: "w",
      id,
      receivedAt: 1,
      now: 2,
      expect: { status: "pending", finishedAt: null },
      outcome: {
        status: "unrouted",
        version: 1,
        error: null,
        logs: null,
        duration_us: 1,
        events: '{"large":1}',
      },
      accept: null,
    });
  }
  for (const statuses of [null, ["unrouted" as const, "failed" as const]]) {
    const args = { webhookId: "w", statuses, limit: 2 };
    const first = await store.query("listWebhookRequests", { ...args, cursor: null });
    assert.deepEqual([first.requests.map(({ id }) => id), first.next], [["03", "02"], "02"]);
    assert.ok(!("events" in first.requests[0]!));
    const last = await store.query("listWebhookRequests", { ...args, cursor: first.next });
    assert.deepEqual([last.requests.map(({ id }) => id), last.next], [["01"], null]);
  }
  const many = Array.from({ length: 450 }, (_, i) => ({ ...request, ...payload, id: String(1000 + i) }));
  await store.execute("receiveWebhookRequests", { requests: many });
  const args = { webhookId: "w", statuses: ["pending" as const], cursor: null, limit: 500 };
  const { requests, next } = await store.query("listWebhookRequests", args);
  assert.deepEqual([requests.map(({ id }) => id), next], [many.map(({ id }) => id).reverse(), null]);
  assert.equal((await store.query("findWebhookRequest", { id: "02" }))!.events, '{"large":1}');
});
