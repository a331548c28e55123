import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import {
  author,
  failed,
  incoming,
  returned,
  T0,
  until,
  type WebhookHarness,
  webhookHarness,
} from "../../test/webhook-harness.ts";
import { ServiceError } from "../errors.ts";
import type { TransformOutcome } from "./sandbox/outcome.ts";

const event = { name: "shop/order", data: {} };

describe("operations on webhooks", () => {
  let hooks: WebhookHarness;
  beforeEach(async () => {
    hooks = await webhookHarness();
  });
  afterEach(() => hooks.close());

  const receive = async (webhookId: string, count: number) => {
    const webhook = hooks.directory.byId(webhookId)!;
    await Promise.all(
      Array.from({ length: count }, (_, n) => hooks.receiver.receive(webhook, incoming(String(n)))),
    );
    // Replays are told from first outcomes by their time.
    hooks.clock.advance(10);
  };

  test("all failed requests are replayed page by page, each once, also those that fail again", async () => {
    const { id } = await hooks.create();
    hooks.answer(async () => failed("not yet"));
    await receive(id, 65);
    hooks.jobs.length = 0;
    hooks.answer(async ({ evt }) => (Number(evt) % 2 === 0 ? returned(event) : failed("still")));
    const webhook = hooks.directory.byId(id)!;
    const pages = [];
    let cursor: string | null = null;
    do {
      const page = await hooks.operations.replayMany(webhook, ["failed"], cursor, 25);
      pages.push(page);
      cursor = page.next;
    } while (cursor !== null);
    assert.deepEqual(
      pages.map(({ outcomes }) => (outcomes.accepted ?? 0) + (outcomes.failed ?? 0)),
      [25, 25, 15],
    );
    assert.deepEqual(new Set(hooks.jobs.map(({ evt }) => Number(evt))).size, 65);
    assert.equal(hooks.jobs.length, 65);
    assert.equal((await hooks.events()).length, 33);
  });

  test("a replay of all leaves other statuses alone, and skips what is being worked on", async () => {
    const { id } = await hooks.create();
    hooks.answer(async ({ evt }) => (evt === "0" ? returned(null) : failed("no")));
    await receive(id, 3);
    const webhook = hooks.directory.byId(id)!;
    const [busy] = await hooks.requests(id, ["failed"]);
    const { promise, resolve } = Promise.withResolvers<TransformOutcome>();
    hooks.answer(() => promise);
    const single = hooks.operations.replay(await hooks.request(busy!.id));
    hooks.answer(async () => returned(event));
    const replayed = await hooks.operations.replayMany(webhook, ["failed"], null, 100);
    assert.deepEqual(replayed, { outcomes: { accepted: 1 }, skipped: 1, next: null });
    resolve(returned(event));
    assert.equal((await single).status, "accepted");
    assert.equal((await hooks.requests(id, ["ignored"])).length, 1);
  });

  test("a replay of all gives up when the sandbox has too much to do, and can be begun again", async () => {
    const { id } = await hooks.create();
    hooks.answer(async () => failed("no"));
    await receive(id, 30);
    const webhook = hooks.directory.byId(id)!;
    hooks.answer(() => Promise.reject(new ServiceError("unavailable", "full", { retry_after: 1 })));
    await assert.rejects(hooks.operations.replayMany(webhook, ["failed"], null, 100), {
      code: "unavailable",
    });
    hooks.answer(async () => returned(event));
    const again = await hooks.operations.replayMany(webhook, ["failed"], null, 100);
    assert.deepEqual(again.outcomes, { accepted: 30 });
  });

  test("a replay of more than the sandbox takes at once goes on as it empties", async () => {
    const { id } = await hooks.create();
    hooks.answer(async () => failed("no"));
    await receive(id, 45);
    let running = 0;
    hooks.answer(async () => {
      if (running === 3) throw new ServiceError("unavailable", "full", { retry_after: 1 });
      running++;
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return returned(event);
    });
    const replayed = await hooks.operations.replayMany(hooks.directory.byId(id)!, ["failed"], null, 100);
    assert.deepEqual(replayed, { outcomes: { accepted: 45 }, skipped: 0, next: null });
    assert.equal((await hooks.events()).length, 45);
  });

  test("an unrouted request is routed to a living branch, once", async () => {
    const branch = await hooks.createBranch("feature/a");
    await hooks.createBranch("old", true);
    const { id } = await hooks.create("branches");
    hooks.answer(async () => returned([event, { ...event, name: "shop/second" }]));
    await receive(id, 1);
    const request = await hooks.theRequest(id);
    assert.equal(request.status, "unrouted");
    for (const name of ["none", "old", "production", "branches"]) {
      await assert.rejects(hooks.operations.route(request, name), { code: "environment_not_found" });
    }
    const { status, eventIds } = await hooks.operations.route(request, "feature/a");
    assert.deepEqual([status, eventIds.length], ["accepted", 2]);
    const stored = await hooks.events(branch);
    assert.deepEqual(stored.map(({ name }) => name).sort(), ["shop/order", "shop/second"]);
    // The time of receipt, although it was routed later.
    assert.deepEqual(new Set(stored.map(({ ts }) => ts)), new Set([T0]));
    await assert.rejects(hooks.operations.route(request, "feature/a"), { code: "conflict" });
    const routed = await hooks.theRequest(id);
    assert.deepEqual([routed.status, routed.env, routed.events], ["accepted", branch, null]);
    await assert.rejects(hooks.operations.route(routed, "feature/a"), { code: "conflict" });
    assert.equal((await hooks.events(branch)).length, 2);
  });

  test("of a replay and a route of one request at once, one wins and the other is a conflict", async () => {
    await hooks.createBranch("feature/a");
    const { id } = await hooks.create("branches");
    hooks.answer(async () => returned(event));
    await receive(id, 1);
    const request = await hooks.theRequest(id);
    const { promise, resolve } = Promise.withResolvers<TransformOutcome>();
    hooks.answer(() => promise);
    const replayed = hooks.operations.replay(request);
    const routed = await hooks.operations.route(request, "feature/a");
    assert.equal(routed.status, "accepted");
    resolve(returned(event));
    await assert.rejects(replayed, { code: "conflict" });
    assert.equal((await hooks.theRequest(id)).status, "accepted");
  });

  test("a version that was saved meanwhile is a conflict, and a restored one becomes the next", async () => {
    const { id } = await hooks.create("production", { transform: "one" });
    const two = await hooks.operations.update(author(), id, { transform: "two" }, 1);
    assert.deepEqual([two.version, two.transform], [2, "two"]);
    await assert.rejects(
      hooks.operations.update(author(), id, { transform: "three" }, 1),
      (error: ServiceError) => {
        assert.deepEqual([error.code, error.detail.version], ["conflict", 2]);
        return true;
      },
    );
    const restored = await hooks.operations.restore(author(), id, 1);
    assert.deepEqual([restored.version, restored.transform], [3, "one"]);
    await assert.rejects(hooks.operations.restore(author(), id, 9), { code: "not_found" });
  });

  test("of two changes made on one version at once, one is a conflict", async () => {
    const { id } = await hooks.create();
    const results = await Promise.allSettled(
      ["a", "b", "c"].map((transform) => hooks.operations.update(author(), id, { transform }, 1)),
    );
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal(hooks.directory.byId(id)?.version, 2);
  });

  test("a rotated key holds at once, and the old one no more; a deleted webhook has none", async () => {
    const webhook = await hooks.create();
    const old = hooks.operations.keyOf(webhook)!;
    const rotated = await hooks.operations.rotate(author(), webhook.id);
    const key = hooks.operations.keyOf(rotated)!;
    assert.notEqual(key, old);
    assert.equal(hooks.directory.byKey(old), undefined);
    assert.equal(hooks.directory.byKey(key)?.id, webhook.id);
    await hooks.operations.remove(author(), webhook.id);
    assert.equal(hooks.directory.byKey(key), undefined);
    await assert.rejects(hooks.operations.remove(author(), webhook.id), { code: "not_found" });
    await assert.rejects(hooks.operations.rotate(author(), webhook.id), { code: "not_found" });
    await assert.rejects(hooks.operations.update(author(), webhook.id, { name: "x" }), { code: "not_found" });
  });

  test("requests of a deleted webhook cannot be replayed, and one under way still gets its outcome", async () => {
    const webhook = await hooks.create();
    const { promise, resolve } = Promise.withResolvers<TransformOutcome>();
    hooks.answer(() => promise);
    const received = hooks.receiver.receive(webhook, incoming());
    await until(() => hooks.jobs.length === 1);
    const request = await hooks.theRequest(webhook.id);
    await hooks.operations.remove(author(), webhook.id);
    assert.throws(() => hooks.operations.replay(request), { code: "not_found" });
    resolve(returned(event));
    assert.equal((await received).status, "accepted");
  });

  test("filters without an entry are none", async () => {
    const { id } = await hooks.create("production", { event_filter: { allow: ["a/*"], deny: [] } });
    assert.equal(hooks.directory.byId(id)?.gate?.admitsName?.("b/c"), false);
    await hooks.operations.update(author(), id, { event_filter: { allow: [], deny: [] } });
    assert.equal(hooks.directory.byId(id)?.gate, null);
  });
});
