/** What webhooks cost whoever looks at them and tries them out, at the limits of what they may hold. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Json, type ProductionService, productionService } from "../../test/production-service.ts";

let service: ProductionService;
before(async () => {
  service = await productionService();
});
after(() => service.close());

const MAX_PAGE_TEXT = 4.5 * 1024 * 1024;
const LONG = `function transform() { return null } //${"x".repeat(250 * 1024)}`;

async function made(body: Json): Promise<Json> {
  const answer = await service.call("POST", "/v1/webhooks", body);
  assert.equal(answer.status, 200, answer.body.error);
  return answer.body.data;
}

/** All pages of a list, each within its bound. */
async function pagesOf(path: string): Promise<Json[][]> {
  const pages: Json[][] = [];
  for (let cursor = ""; ; ) {
    const { status, body } = await service.call("GET", `${path}?limit=200${cursor}`);
    assert.equal(status, 200);
    assert.ok(JSON.stringify(body).length < MAX_PAGE_TEXT, "a page is too large");
    pages.push(body.data);
    if (!body.page.has_more) return pages;
    cursor = `&cursor=${body.page.cursor}`;
  }
}

test("lists of webhooks and of versions end a page before it is too large, and go on", async () => {
  const ids = [];
  for (let i = 0; i < 20; i++) ids.push((await made({ name: `long ${i}`, transform: LONG })).id);
  const webhooks = await pagesOf("/v1/webhooks");
  assert.equal(webhooks.length, 2);
  assert.deepEqual(
    webhooks.flat().map(({ id }) => id),
    ids,
  );

  const path = `/v1/webhooks/${ids[0]}`;
  for (let i = 2; i <= 20; i++) {
    const changed = await service.call("PATCH", path, { transform: `${LONG}${i}` });
    assert.equal(changed.status, 200, changed.body.error);
  }
  const versions = await pagesOf(`${path}/versions`);
  assert.equal(versions.length, 2);
  assert.deepEqual(
    versions.flat().map(({ version }) => version),
    Array.from({ length: 20 }, (_, i) => 20 - i),
  );
});

test("large requests are tried and replayed all together", async () => {
  const webhook = await made({ name: "large", transform: "function transform() { throw new Error('no') }" });
  const body = JSON.stringify({ text: "y".repeat(480 * 1024) });
  for (let i = 0; i < 20; i++) {
    const sent = await fetch(webhook.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    assert.equal(sent.status, 202);
  }
  const tried = await service.call("POST", `/v1/webhooks/${webhook.id}/try`, {
    transform: "function transform(evt) { return { name: 'a', data: { length: evt.text.length } } }",
  });
  assert.equal(tried.status, 200, tried.body.error);
  assert.deepEqual(
    tried.body.data.map(({ events }: Json) => events[0].data.length),
    new Array(20).fill(480 * 1024),
  );
  const replayed = await service.call("POST", `/v1/webhooks/${webhook.id}/replay`, {});
  assert.deepEqual([replayed.status, replayed.body.data?.outcomes], [200, { failed: 20 }]);
});

test("requests are tried out only by those who may read them", async () => {
  const webhook = await made({ name: "read" });
  await fetch(webhook.url, { method: "POST", body: '{"secret":1}' });
  const { body } = await service.call("POST", "/v1/api-tokens", { name: "m", scopes: ["manage"] });
  const path = `/v1/webhooks/${webhook.id}/try`;
  const transform = "function transform(evt, headers, query, raw) { return { name: 'a', data: { raw } } }";
  const refused = await service.call("POST", path, { transform }, { token: body.data.secret });
  assert.deepEqual([refused.status, refused.body.permission], [403, "read"]);
  assert.equal((await service.call("POST", path, { transform })).status, 200);
});

test("a list of requests ends a page before what became of them is too large", async () => {
  const transform = "function transform(evt) { return Array(5000).fill({ name: 'a', data: {} }) }";
  const webhook = await made({ name: "many", transform });
  const ids = [];
  for (let i = 0; i < 35; i++) {
    const sent = await fetch(webhook.url, { method: "POST", body: "{}" });
    ids.push(((await sent.json()) as Json).ids[0]);
  }
  const pages = await pagesOf(`/v1/webhooks/${webhook.id}/requests`);
  assert.equal(pages.length, 2);
  assert.deepEqual(
    pages.flat().map(({ event_ids }) => event_ids[0]),
    ids.reverse(),
  );
});
