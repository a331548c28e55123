import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEventIdSeed, seededEventId } from "@svc/protocol";
import { silent, startApp } from "../test/app.ts";
import { type MiniService, startMiniService } from "../test/mini-service.ts";
import { Client, type SdkError, SendError } from "./index.ts";

async function start(
  t: { after(fn: () => void): void },
  options = {},
): Promise<{ client: Client; service: MiniService }> {
  const service = await startMiniService();
  t.after(() => service.close());
  return { service, client: new Client({ id: "app", baseUrl: service.url, eventKey: "key", ...options }) };
}

test("send() posts events with key, environment and seed, and returns their ids in order", async (t) => {
  const { client, service } = await start(t, { env: "feature-x" });
  const { ids } = await client.send([
    { name: "a", data: { n: 1 } },
    { name: "b", id: "own", ts: 5 },
  ]);
  const [sent] = service.sends;
  assert.deepEqual(ids, sent!.ids);
  assert.equal(ids.length, 2);
  assert.deepEqual(sent!.events, [
    { name: "a", data: { n: 1 } },
    { name: "b", id: "own", ts: 5, data: {} },
  ]);
  assert.equal(sent!.key, "key");
  assert.equal(sent!.headers["x-svc-env"], "feature-x");
  assert.match(String(sent!.headers["x-svc-event-id-seed"]), /^\d+,[A-Za-z0-9+/]{14}==$/);
});

test("sending nothing resolves without a request", async (t) => {
  const { client, service } = await start(t);
  assert.deepEqual(await client.send([]), { ids: [] });
  assert.equal(service.sends.length, 0);
});

test("a send that is repeated keeps its seed, so the events keep their ids", async (t) => {
  const { client, service } = await start(t);
  const seeds: unknown[] = [];
  const spying = new Client({
    id: "app",
    baseUrl: service.url,
    eventKey: "key",
    fetch: (url, init) => {
      seeds.push((init!.headers as Record<string, string>)["x-svc-event-id-seed"]);
      return fetch(url, init);
    },
  });
  service.refuse(
    "/e/",
    { status: 503 },
    { status: 0, drop: true },
    { status: 429, headers: { "retry-after": "0" } },
  );
  const { ids } = await spying.send({ name: "a" });
  assert.equal(seeds.length, 4);
  assert.equal(new Set(seeds).size, 1);
  assert.deepEqual(ids, [seededEventId(parseEventIdSeed(String(seeds[0]))!, 0)]);
  await client.send({ name: "a" });
  assert.notDeepEqual(service.sends[1]!.ids, ids);
});

test("a refused send is not repeated and tells code, index and field", async (t) => {
  const { client, service } = await start(t);
  const body = {
    error: "`name` must be a string.",
    code: "invalid_event",
    status: 400,
    index: 1,
    field: "name",
  };
  service.refuse("/e/", { status: 400, body });
  await assert.rejects(client.send({ name: "a" }), (error: unknown) => {
    assert.ok(error instanceof SendError);
    assert.deepEqual([error.status, error.code, error.index, error.field], [400, "invalid_event", 1, "name"]);
    assert.match(error.message, /`name` must be a string/);
    return true;
  });
  assert.equal(service.sends.length, 0);
});

test("a service that asks for long patience is reported at once", async (t) => {
  const { client, service } = await start(t);
  service.refuse("/e/", {
    status: 429,
    headers: { "retry-after": "3600" },
    body: { error: "slow", code: "rate_limited" },
  });
  await assert.rejects(client.send({ name: "a" }), {
    name: "SendError",
    code: "rate_limited",
    retryAfter: 3600,
  });
});

test("an unreachable service is a SendError that names the address but not the key", async () => {
  const client = new Client({
    id: "app",
    baseUrl: "http://127.0.0.1:9",
    eventKey: "secret",
    fetch: () => Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })),
  });
  await assert.rejects(client.send({ name: "a" }), (error: unknown) => {
    assert.ok(error instanceof SendError);
    assert.equal(error.code, "network");
    assert.match(error.message, /http:\/\/127\.0\.0\.1:9 could not be reached: ECONNREFUSED/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});

test("events that cannot be sent are refused before any request", async (t) => {
  const { client, service } = await start(t);
  await assert.rejects(client.send({ name: "" }), { code: "event_invalid" });
  await assert.rejects(client.send(null as never), { code: "event_invalid" });
  await assert.rejects(client.send({ name: "a", data: { n: 1n } }), { code: "not_serialisable" });
  assert.equal(service.sends.length, 0);
});

test("step.sendEvent sends once and gives the same ids when it is repeated", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      const sent = await step.sendEvent("tell", [{ name: "x" }, { name: "y" }]);
      const again = await step.sendEvent("tell", { name: "z" });
      return [...sent.ids, ...again.ids];
    }),
  ]);
  const runId = "01M7Y9Y57HSY6R0V39MRS9C80B";
  // The checkpoint is lost, as when the process dies between sending and keeping the step.
  const first = await app.run("f", {}, { runId });
  const second = await app.run("f", {}, { runId });
  assert.deepEqual(first.output, second.output);
  assert.equal(new Set(first.output as string[]).size, 3);
  assert.equal(app.service.sends.length, 4);
  assert.deepEqual(app.service.sends[0]!.ids, app.service.sends[2]!.ids);
  assert.equal(
    parseEventIdSeed(String(app.service.sends[0]!.headers["x-svc-event-id-seed"]))!.time,
    1795239646449,
  );
  assert.deepEqual(first.checkpoints[0]!.opts, { type: "step.sendEvent" });
});

test("events that the service refuses fail the step without further attempts", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", ({ step }) => step.sendEvent("tell", { name: "x" })),
  ]);
  app.service.refuse("/e/", { status: 400, body: { error: "bad", code: "invalid_event", status: 400 } });
  const run = await app.run("f");
  assert.equal(run.calls[0]!.ops![0]!.op, "StepFailed");
  assert.equal(run.error!.name, "SendError");
});

test("what is missing is named, with what to set", async () => {
  const message = async (options: object): Promise<string> => {
    const client = new Client({ id: "app", logger: silent, ...options });
    return client.send({ name: "a" }).then(
      () => "sent",
      (error: SdkError) => `${error.name}: ${error.message}`,
    );
  };
  assert.match(await message({}), /SVC_BASE_URL.*SVC_DEV=1/);
  assert.match(await message({ baseUrl: "http://127.0.0.1:9" }), /SVC_EVENT_KEY.*SVC_DEV=1/);
  assert.throws(
    () => new Client({ id: "app", baseUrl: "localhost:8288" }),
    /http or https URL, not "localhost:8288"/,
  );
  assert.throws(() => new Client({ id: "" }), { code: "app_id_missing" });
  assert.throws(() => new Client({ id: "app", signingKey: "not hex" }), { code: "signing_key_invalid" });
});
