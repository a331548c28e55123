/** What is taken away is gone at once, also for whoever had begun to use it just before. */
import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { after, before, test } from "node:test";
import {
  type Json,
  type ProductionService,
  productionService,
  ROOT_EVENT_KEY,
  ROOT_TOKEN,
} from "../../packages/server/test/production-service.ts";
import { openBrowser } from "../browser.ts";

let service: ProductionService;
before(async () => {
  service = await productionService();
});
after(() => service.close());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function made(path: string, body: Json): Promise<Json> {
  const answer = await service.call("POST", path, body);
  assert.equal(answer.status, 200, answer.body?.error);
  return answer.body.data;
}

/** A request whose head has arrived and been looked at; its body follows when it is asked for. */
function withheld(path: string, headers: Record<string, string>) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: answered, resolve, reject } = Promise.withResolvers<{ status: number; body: Json }>();
  const request = httpRequest(service.url + path, {
    method: "POST",
    headers: { expect: "100-continue", "content-type": "application/json", ...headers },
  });
  // The service says so in the very turn in which it hands the request on.
  request.on("continue", begin);
  request.on("error", reject);
  request.on("response", async (response) => {
    let text = "";
    for await (const chunk of response) text += chunk;
    resolve({ status: response.statusCode!, body: JSON.parse(text) });
  });
  request.flushHeaders();
  const send = (body: Json) => {
    request.end(JSON.stringify(body));
    return answered;
  };
  return { begun, send };
}

test("a body that arrives after its token was revoked changes nothing", async () => {
  const token = await made("/v1/api-tokens", { name: "slow", scopes: ["read", "manage", "send"] });
  const request = withheld("/v1/invitations", bearer(token.secret));
  await request.begun;
  assert.equal((await service.call("DELETE", `/v1/api-tokens/${token.id}`)).status, 204);
  const answer = await request.send({ role: "admin" });
  assert.deepEqual([answer.status, answer.body.code], [401, "unauthorized"]);
  assert.deepEqual((await service.call("GET", "/v1/invitations")).body.data, []);
});

test("a body that arrives after its webhook got another address is not taken", async () => {
  const webhook = await made("/v1/webhooks", { name: "slow" });
  const request = withheld(new URL(webhook.url).pathname, {});
  await request.begun;
  await made(`/v1/webhooks/${webhook.id}/rotate`, {});
  const answer = await request.send({ n: 1 });
  assert.deepEqual([answer.status, answer.body.code], [401, "unauthorized"]);
  assert.deepEqual((await service.call("GET", `/v1/webhooks/${webhook.id}/requests`)).body.data, []);
});

test("a body that arrives after its webhook was paused runs nothing", async () => {
  const webhook = await made("/v1/webhooks", { name: "paused" });
  const request = withheld(new URL(webhook.url).pathname, {});
  await request.begun;
  assert.equal((await service.call("PATCH", `/v1/webhooks/${webhook.id}`, { paused: true })).status, 200);
  const answer = await request.send({ n: 1 });
  assert.deepEqual([answer.status, answer.body.code], [202, "paused"]);
});

test("events whose body arrives after their key was revoked are not taken", async () => {
  const key = await made("/v1/event-keys", { name: "slow" });
  const request = withheld(`/e/${key.secret}`, {});
  await request.begun;
  assert.equal((await service.call("DELETE", `/v1/event-keys/${key.id}`)).status, 204);
  const answer = await request.send({ name: "a", data: {} });
  assert.deepEqual([answer.status, answer.body.code], [401, "unauthorized"]);
});

/** Open a live stream. @returns its text once it has ended */
async function openStream(headers: Record<string, string>): Promise<{ rest: Promise<string> }> {
  const response = await fetch(`${service.url}/v1/events/stream`, { headers });
  assert.equal(response.status, 200);
  return { rest: response.text() };
}

test("a live stream ends with the token it was opened with, before the next event", async () => {
  const token = await made("/v1/api-tokens", { name: "watcher", scopes: ["read"] });
  const { rest } = await openStream(bearer(token.secret));
  assert.equal((await service.call("DELETE", `/v1/api-tokens/${token.id}`)).status, 204);
  assert.equal((await service.send(ROOT_EVENT_KEY, { name: "secret/told", data: {} })).status, 200);
  const text = await rest;
  assert.match(text, /may read no longer/);
  assert.ok(!text.includes("secret/told"), text);
});

test("a live stream without events ends with its token, too, and others go on", async () => {
  const token = await made("/v1/api-tokens", { name: "idle", scopes: ["read"] });
  const { rest } = await openStream(bearer(token.secret));
  const other = await openStream(bearer(ROOT_TOKEN));
  assert.equal((await service.call("DELETE", `/v1/api-tokens/${token.id}`)).status, 204);
  const first = await Promise.race([rest.then(() => "revoked"), other.rest.then(() => "other")]);
  assert.equal(first, "revoked");
});

test("a live stream ends with the session of its watcher", async () => {
  const invitation = await made("/v1/invitations", { role: "viewer" });
  const viewer = openBrowser(service.url);
  const accepted = await viewer.send("POST", "/v1/invitations/accept", {
    token: invitation.url.slice(invitation.url.indexOf("#") + 1),
    name: "Vic",
    email: "vic@example.com",
    password: "an engine of 1842",
  });
  const cookie = accepted.headers.get("set-cookie")!.split(";")[0]!;
  const { rest } = await openStream({ cookie });
  assert.equal((await service.call("DELETE", `/v1/users/${accepted.body.data.user.id}`)).status, 204);
  assert.match(await rest, /may read no longer/);
});

test("an archived environment gets no webhook, by whichever name it is chosen", async () => {
  const { id, name } = await made("/v1/environments", { name: "over", type: "named" });
  await made(`/v1/environments/${id}/archive`, undefined);
  for (const [path, body] of [
    [`/v1/webhooks?env=${name}`, { name: "late" }],
    ["/v1/webhooks", { name: "late", environment: name }],
  ] as const) {
    const answer = await service.call("POST", path, body);
    assert.deepEqual([answer.status, answer.body.code], [404, "environment_not_found"], path);
  }
});
