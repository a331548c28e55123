/** What people do with webhooks: mend, test, replay, restore, pause, rotate, delete. Over HTTP against the whole service. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Answer, type Json, startWebhookService, type WebhookService } from "./webhook-service.ts";

describe("the life of a webhook", () => {
  let service: WebhookService;
  before(async () => {
    service = await startWebhookService("start");
  });
  after(() => service.close());

  const patch = (hook: Json, change: object) => service.call("PATCH", `/v1/webhooks/${hook.id}`, change);
  const code = (returns: string) => `function transform(evt, headers, queryParams, raw) {\n  ${returns}\n}`;
  const refused = (answer: Answer, status: number, code: string, detail: object = {}) => {
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body));
    for (const [key, value] of Object.entries(detail)) assert.equal(answer.body[key], value, key);
  };

  test("a failed request is replayed after its transform was mended", async () => {
    const hook = await service.create("return {name: evt.order.name, data: {}}");
    await service.send(hook.url, { name: "mended/event" });
    const [request] = await service.requests(hook);
    const replay = () => service.call("POST", `/v1/webhooks/requests/${request.id}/replay`);
    assert.equal((await replay()).body.data.status, "failed");
    const mended = await patch(hook, { transform: code("return {name: evt.name, data: {}}") });
    assert.equal(mended.body.data.version, 2);
    const replayed = await replay();
    assert.equal(replayed.body.data.status, "accepted");
    const { id, webhook_request } = (
      await service.api<{ data: Json }>(`/v1/events/${replayed.body.data.event_ids[0]}`)
    ).data;
    assert.deepEqual(webhook_request, { webhook_id: hook.id, request_id: request.id });
    const [now] = await service.requests(hook);
    assert.deepEqual([now.status, now.version, now.event_ids, now.error], ["accepted", 2, [id], null]);
  });

  test("all failed requests are replayed after a mend, page by page", async () => {
    const hook = await service.create("throw new Error('not yet')");
    await Promise.all(Array.from({ length: 25 }, (_, n) => service.send(hook.url, { n })));
    await patch(hook, {
      transform: code("if (evt.n === 7) throw new Error('7'); return {name: 'all/mended', data: evt}"),
    });
    let cursor: string | null = null;
    const tally: Record<string, number> = {};
    let calls = 0;
    do {
      const { status, body }: Answer = await service.call("POST", `/v1/webhooks/${hook.id}/replay`, {
        limit: 10,
        cursor,
      });
      assert.equal(status, 200, JSON.stringify(body));
      for (const [outcome, count] of Object.entries(body.data.outcomes))
        tally[outcome] = (tally[outcome] ?? 0) + (count as number);
      assert.equal(body.data.skipped, 0);
      cursor = body.data.cursor;
      calls++;
    } while (cursor !== null);
    assert.deepEqual([tally, calls], [{ accepted: 24, failed: 1 }, 3]);
    assert.equal((await service.eventsNamed("all/mended")).length, 24);
  });

  test("a replay with an id stores nothing twice, one without stores a new event", async () => {
    const hook = await service.create("return {name: 'again/event', id: evt.id, data: {}}");
    const replay = async () => {
      const [{ id }] = await service.requests(hook);
      return (await service.call("POST", `/v1/webhooks/requests/${id}/replay`)).body.data;
    };
    const first = (await service.send(hook.url, { id: "again-1" })).body;
    assert.deepEqual(await replay(), { status: "duplicate", event_ids: first.ids });
    const second = (await service.send(hook.url, {})).body;
    const replayed = await replay();
    assert.equal(replayed.status, "accepted");
    assert.notDeepEqual(replayed.event_ids, second.ids);
    assert.equal((await service.eventsNamed("again/event")).length, 3);
  });

  test("a transform that is no code is refused with its place, and nothing changes", async () => {
    const hook = await service.create("return null");
    const broken = "function transform(evt) {\n  return {{ name: 'x' };\n}";
    const answer = await patch(hook, { transform: broken });
    refused(answer, 400, "invalid_request", { field: "transform", line: 2 });
    assert.ok(answer.body.column >= 1, JSON.stringify(answer.body));
    for (const bad of ["const x = 1;", "transform = 5", "throw new Error('at load')"]) {
      refused(await patch(hook, { transform: bad }), 400, "invalid_request", { field: "transform" });
      refused(
        await service.call("POST", "/v1/webhooks", { name: "x", transform: bad }),
        400,
        "invalid_request",
      );
    }
    const { version, transform } = (await service.call("GET", `/v1/webhooks/${hook.id}`)).body.data;
    assert.deepEqual([version, transform], [1, hook.transform]);
  });

  test("a change made on an older version is a conflict", async () => {
    const hook = await service.create("return null");
    const changed = await patch(hook, { transform: code("return []"), if_version: 1 });
    assert.equal(changed.body.data.version, 2);
    refused(await patch(hook, { transform: code("return 1"), if_version: 1 }), 409, "conflict", {
      version: 2,
    });
    refused(await patch(hook, { name: "other", if_version: 1 }), 409, "conflict");
  });

  test("versions are listed newest first, and restoring one makes the next", async () => {
    const hook = await service.create("return {name: 'version/1', data: {}}");
    await patch(hook, { transform: code("return {name: 'version/2', data: {}}") });
    const restored = await service.call("POST", `/v1/webhooks/${hook.id}/versions/1/restore`);
    assert.deepEqual([restored.status, restored.body.data.version], [200, 3]);
    const first = (await service.call("GET", `/v1/webhooks/${hook.id}/versions?limit=2`)).body;
    const second = (
      await service.call("GET", `/v1/webhooks/${hook.id}/versions?limit=2&cursor=${first.page.cursor}`)
    ).body;
    const rows = [...first.data, ...second.data].map((each) => [
      each.version,
      each.restored_from,
      each.current,
    ]);
    assert.deepEqual(rows, [
      [3, 1, true],
      [2, null, false],
      [1, null, false],
    ]);
    const { body } = await service.send(hook.url, {});
    assert.equal((await service.event(body.ids[0])).name, "version/1");
    for (const version of ["9", "0", "-1", "x", "1e3", "__proto__"]) {
      refused(
        await service.call("POST", `/v1/webhooks/${hook.id}/versions/${version}/restore`),
        404,
        "not_found",
      );
    }
  });

  test("testing a transform shows what would become of a request, and stores nothing", async () => {
    const transform = code(
      "console.log('saw', raw); return {name: 'tested/event', data: {evt, queryParams}}",
    );
    const tried = await service.call("POST", "/v1/webhooks/test", {
      transform,
      body: { n: 1 },
      headers: { "content-type": "application/json" },
      query: "?a=1",
    });
    const { status, events, logs } = tried.body.data;
    assert.deepEqual([status, events[0].name], ["events", "tested/event"]);
    assert.deepEqual(events[0].data, { evt: { n: 1 }, queryParams: { a: ["1"] } });
    assert.match(logs[0].text, /saw/);
    assert.deepEqual(await service.eventsNamed("tested/event"), []);
    const failed = await service.call("POST", "/v1/webhooks/test", {
      transform: code("return evt.a.b"),
      body: "",
    });
    assert.deepEqual([failed.body.data.status, failed.body.data.error.line], ["failed", 2]);
    const bytes = await service.call("POST", "/v1/webhooks/test", {
      transform: code("return {name: 'a', data: {evt}}"),
      body: Buffer.from('{"from":"bytes"}').toString("base64"),
      body_encoding: "base64",
      headers: { "content-type": "application/json" },
    });
    assert.deepEqual(bytes.body.data.events[0].data, { evt: { from: "bytes" } });
  });

  test("trying a transform on the last requests shows before and after, and stores nothing", async () => {
    const hook = await service.create("return {name: 'tried/before', data: evt}");
    for (const n of [1, 2]) await service.send(hook.url, { n });
    const { body } = await service.call("POST", `/v1/webhooks/${hook.id}/try`, {
      transform: code("return evt.n === 1 ? null : {name: 'tried/after', data: evt}"),
    });
    const rows = body.data.map((row: Json) => [
      row.status_before,
      row.events_before[0].name,
      row.status,
      row.events[0]?.name,
    ]);
    assert.deepEqual(rows, [
      ["accepted", "tried/before", "events", "tried/after"],
      ["accepted", "tried/before", "ignored", undefined],
    ]);
    assert.deepEqual(await service.eventsNamed("tried/after"), []);
    assert.equal((await service.eventsNamed("tried/before")).length, 2);
    assert.equal((await service.requests(hook)).length, 2);
  });

  test("what a pause has kept is replayed when it is over", async () => {
    const hook = await service.create("return {name: 'resumed/event', data: {}}");
    await patch(hook, { paused: true });
    await service.send(hook.url, {});
    assert.equal((await patch(hook, { paused: false })).body.data.paused, false);
    const replayed = await service.call("POST", `/v1/webhooks/${hook.id}/replay`, { status: ["paused"] });
    assert.deepEqual(replayed.body.data.outcomes, { accepted: 1 });
    assert.equal((await service.eventsNamed("resumed/event")).length, 1);
  });

  test("a rotated address ends at once, and so does that of a deleted webhook", async () => {
    const hook = await service.create("return null");
    const rotated = (await service.call("POST", `/v1/webhooks/${hook.id}/rotate`)).body.data;
    assert.notEqual(rotated.url, hook.url);
    refused(await service.send(hook.url, {}), 401, "unauthorized");
    assert.equal((await service.send(rotated.url, {})).status, 202);
    const [request] = await service.requests(hook);
    assert.ok((await service.call("DELETE", `/v1/webhooks/${hook.id}`)).status < 300);
    refused(await service.send(rotated.url, {}), 401, "unauthorized");
    for (const path of [hook.id, `${hook.id}/requests`, `requests/${request.id}`, `${hook.id}/versions`]) {
      refused(await service.call("GET", `/v1/webhooks/${path}`), 404, "not_found");
    }
    refused(await service.call("POST", `/v1/webhooks/requests/${request.id}/replay`), 404, "not_found");
  });

  test("requests are listed by status and counted by outcome", async () => {
    const hook = await service.create("if (evt.n) throw 1; return null");
    for (const n of [0, 1, 0]) await service.send(hook.url, { n });
    const list = async (query: string) =>
      (await service.call("GET", `/v1/webhooks/${hook.id}/requests?${query}`)).body;
    assert.equal((await list("status=failed")).data.length, 1);
    assert.equal((await list("status=failed,ignored")).data.length, 3);
    const page = await list("limit=2");
    assert.deepEqual([page.data.length, page.page.has_more], [2, true]);
    const rest = await list(`limit=2&cursor=${page.page.cursor}`);
    assert.deepEqual([rest.data.length, rest.page.has_more], [1, false]);
    const { requests_24h } = (await service.call("GET", `/v1/webhooks/${hook.id}`)).body.data;
    assert.deepEqual(requests_24h, { ignored: 2, failed: 1 });
  });

  test("a request that is replayed is counted once, by the outcome it has now", async () => {
    const hook = await service.create("throw new Error('not yet')");
    await service.send(hook.url, {});
    const counts = async () => (await service.call("GET", `/v1/webhooks/${hook.id}`)).body.data.requests_24h;
    const replay = () => service.call("POST", `/v1/webhooks/${hook.id}/replay`, { status: ["failed"] });
    await replay();
    assert.deepEqual(await counts(), { failed: 1 });
    const transform = "const transform = () => null;";
    await service.call("PATCH", `/v1/webhooks/${hook.id}`, { transform });
    await replay();
    assert.deepEqual(await counts(), { ignored: 1 });
  });

  test("the key of a webhook stands nowhere in its inbox", async () => {
    const hook = await service.create("return null");
    await service.send(hook.url, {}, { query: "?a=1" });
    const request = await service.newest(hook);
    const key = hook.url.split("/").at(-1);
    assert.ok(!JSON.stringify(request).includes(key), JSON.stringify(request));
    assert.deepEqual([request.method, request.query], ["POST", "a=1"]);
  });
});
