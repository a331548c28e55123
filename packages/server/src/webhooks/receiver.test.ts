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

const overloaded = () => Promise.reject(new ServiceError("unavailable", "too much", { retry_after: 1 }));
const event = { name: "shop/order", data: {} };

describe("the receiver of webhook requests", () => {
  let hooks: WebhookHarness;
  beforeEach(async () => {
    hooks = await webhookHarness();
  });
  afterEach(() => hooks.close());

  /** Transforms that end when the test says so. */
  const held = () => {
    const calls: { id: string; end(outcome: TransformOutcome): void }[] = [];
    hooks.answer(
      ({ evt }) =>
        new Promise((end) => {
          calls.push({ id: evt, end });
        }),
    );
    return calls;
  };

  test("a request is durable as it came before its transform is called", async () => {
    const webhook = await hooks.create();
    let seen: unknown;
    hooks.answer(async () => {
      const { status, method, path, query, headers, body, address, received_at } = await hooks.theRequest(
        webhook.id,
      );
      seen = { status, method, path, query, headers, body, address, received_at };
      return returned(event);
    });
    await hooks.receiver.receive(
      webhook,
      incoming(' {"a" : 1}\n', { query: "a=1&a=%zz", rawHeaders: ["x-A-b", "1"], address: "192.0.2.1" }),
    );
    assert.deepEqual(seen, {
      status: "pending",
      method: "POST",
      path: "/e/…",
      query: "a=1&a=%zz",
      headers: '{"X-A-B":"1"}',
      body: ' {"a" : 1}\n',
      address: "192.0.2.1",
      received_at: T0,
    });
  });

  test("the event of a transform is stored under the name of its webhook, with the time of receipt", async () => {
    const webhook = await hooks.create();
    hooks.answer(async () => {
      hooks.clock.advance(500);
      return returned(event);
    });
    const { status, eventIds } = await hooks.receiver.receive(webhook, incoming());
    assert.equal(status, "accepted");
    const stored = await hooks.store.query("findEvent", { env: "production", id: eventIds[0]! });
    assert.deepEqual([stored?.source_kind, stored?.source_name, stored?.ts], ["webhook", "hook", T0]);
  });

  test("it is pending when the sandbox has too much to do, and taken up 5 s later", async () => {
    const webhook = await hooks.create();
    hooks.answer(overloaded);
    assert.deepEqual(await hooks.receiver.receive(webhook, incoming()), { status: "pending", eventIds: [] });
    hooks.answer(async () => returned(event));
    hooks.clock.advance(4_999);
    assert.equal(hooks.jobs.length, 1);
    hooks.clock.advance(1);
    await until(() => hooks.finished.length === 1);
    assert.deepEqual(hooks.finished, ["accepted"]);
    assert.equal((await hooks.requests(webhook.id))[0]!.status, "accepted");
  });

  test("a webhook that goes on to fail does not put off the others' pending requests", async () => {
    const webhook = await hooks.create();
    hooks.answer(overloaded);
    await hooks.receiver.receive(webhook, incoming('"first"'));
    hooks.clock.advance(3_000);
    await hooks.receiver.receive(webhook, incoming('"second"'));
    hooks.answer(async () => returned(null));
    hooks.clock.advance(2_000);
    await until(() => hooks.finished.length === 2);
  });

  test("when there is room for none, the rest is not read, and tried again later", async () => {
    const webhook = await hooks.create();
    hooks.answer(overloaded);
    await Promise.all(Array.from({ length: 120 }, () => hooks.receiver.receive(webhook, incoming())));
    hooks.jobs.length = 0;
    await hooks.receiver.resume();
    assert.equal(hooks.jobs.length, 50);
    hooks.answer(async () => returned(null));
    hooks.clock.advance(5_000);
    await until(() => hooks.finished.length === 120);
  });

  test("when there is room for some, the refused ones follow at once", async () => {
    const webhook = await hooks.create();
    hooks.answer(overloaded);
    await Promise.all(Array.from({ length: 60 }, () => hooks.receiver.receive(webhook, incoming())));
    let running = 0;
    hooks.answer(async () => {
      if (running === 8) return overloaded();
      running++;
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return returned(null);
    });
    await hooks.receiver.resume();
    assert.equal(hooks.finished.length, 60);
  });

  test("requests that a crash left pending are taken up by the start, of every webhook", async () => {
    const webhooks = await Promise.all(Array.from({ length: 20 }, () => hooks.create()));
    hooks.answer(overloaded);
    for (const webhook of webhooks) await hooks.receiver.receive(webhook, incoming('{"kept":true}'));
    hooks.jobs.length = 0;
    hooks.answer(async () => returned(event));
    await hooks.receiver.resume();
    assert.deepEqual(
      hooks.finished,
      webhooks.map(() => "accepted"),
    );
    assert.deepEqual(new Set(hooks.jobs.map(({ evt }) => evt)), new Set(['{"kept":true}']));
  });

  test("a slow webhook does not hold up what others left pending", async () => {
    const [slow, other] = [await hooks.create(), await hooks.create()];
    hooks.answer(overloaded);
    await hooks.receiver.receive(slow, incoming());
    await hooks.receiver.receive(other, incoming());
    const never = Promise.withResolvers<TransformOutcome>();
    hooks.answer(({ webhookId }) =>
      webhookId === slow.id ? never.promise : Promise.resolve(returned(null)),
    );
    const resumed = hooks.receiver.resume();
    await until(() => hooks.finished.length === 1);
    assert.equal((await hooks.requests(other.id))[0]!.status, "ignored");
    never.resolve(returned(null));
    await resumed;
  });

  test("a request is never worked on twice at once", async () => {
    const webhook = await hooks.create();
    const calls = held();
    const answer = hooks.receiver.receive(webhook, incoming());
    await until(() => calls.length === 1);
    // It stands in the store as pending: neither of these may take it.
    await hooks.receiver.resume();
    await assert.rejects(hooks.receiver.replay(webhook, await hooks.theRequest(webhook.id)), {
      code: "conflict",
    });
    assert.equal(calls.length, 1);
    calls[0]!.end(returned(event));
    assert.equal((await answer).status, "accepted");
  });

  test("two resumes at once work on each request once", async () => {
    const webhook = await hooks.create();
    hooks.answer(overloaded);
    for (let n = 0; n < 30; n++) await hooks.receiver.receive(webhook, incoming());
    hooks.jobs.length = 0;
    hooks.answer(async () => returned(event));
    await Promise.all([hooks.receiver.resume(), hooks.receiver.resume(), hooks.receiver.resume()]);
    await until(() => hooks.finished.length === 30);
    assert.equal(hooks.jobs.length, 30);
  });

  test("of two outcomes that were decided on the same state, the second is refused and triggers nothing", async () => {
    const webhook = await hooks.create();
    hooks.answer(async () => failed("no"));
    await hooks.receiver.receive(webhook, incoming());
    hooks.clock.advance(10);
    const read = await hooks.theRequest(webhook.id);
    hooks.answer(async () => returned(event));
    assert.equal((await hooks.receiver.replay(webhook, read)).status, "accepted");
    await assert.rejects(hooks.receiver.replay(webhook, read), { code: "conflict" });
    assert.equal((await hooks.events()).length, 1);
  });

  test("a sender is answered `pending` after 4 s, and the outcome is stored all the same", async () => {
    const webhook = await hooks.create();
    const calls = held();
    let answer: unknown;
    void hooks.receiver.receive(webhook, incoming()).then((value) => {
      answer = value;
    });
    await until(() => calls.length === 1);
    hooks.clock.advance(3_999);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(answer, undefined);
    hooks.clock.advance(1);
    await until(() => answer !== undefined);
    assert.deepEqual(answer, { status: "pending", eventIds: [] });
    calls[0]!.end(returned(event));
    await until(() => hooks.finished.length === 1);
    assert.deepEqual(hooks.finished, ["accepted"]);
  });

  test("past 2,000 that wait, senders to this webhook are asked to come back, and to others not", async () => {
    const [busy, free] = [await hooks.create(), await hooks.create()];
    const calls = held();
    const waiting = Array.from({ length: 2_000 }, () => hooks.receiver.receive(busy, incoming()));
    await assert.rejects(hooks.receiver.receive(busy, incoming()), (error: ServiceError) => {
      assert.deepEqual([error.code, error.detail.retry_after], ["unavailable", 5]);
      return true;
    });
    waiting.push(hooks.receiver.receive(free, incoming()));
    await until(() => calls.length === 2_001);
    for (const { end } of calls) end(returned(null));
    await Promise.all(waiting);
    assert.equal((await hooks.requests(busy.id)).length, 2_000);
    // There is room again.
    hooks.answer(async () => returned(null));
    assert.equal((await hooks.receiver.receive(busy, incoming())).status, "ignored");
  });

  test("a paused webhook keeps its requests and runs nothing, until they are replayed", async () => {
    const paused = await hooks.create("production", { paused: true });
    assert.deepEqual(await hooks.receiver.receive(paused, incoming()), { status: "paused", eventIds: [] });
    await hooks.receiver.resume();
    assert.equal(hooks.jobs.length, 0);
    await hooks.operations.update(author(), paused.id, { paused: false });
    hooks.answer(async () => returned(event));
    const replayed = await hooks.operations.replayMany(paused, ["paused"], null, 100);
    assert.deepEqual(replayed, { outcomes: { accepted: 1 }, skipped: 0, next: null });
  });

  test("what is too large for the sandbox fails for good instead of being tried for ever", async () => {
    const webhook = await hooks.create();
    hooks.answer(() => Promise.reject(new ServiceError("payload_too_large", "It may have 8 MiB.")));
    assert.equal((await hooks.receiver.receive(webhook, incoming())).status, "failed");
    const [request] = await hooks.requests(webhook.id);
    assert.deepEqual(JSON.parse(request!.error!).kind, "too_large");
  });

  test("a request that cannot be made durable is refused, and not counted as waiting", async () => {
    const webhook = await hooks.create();
    await hooks.store.close();
    for (let n = 0; n < 2_001; n++) {
      await assert.rejects(hooks.receiver.receive(webhook, incoming()), (error: ServiceError) => {
        assert.deepEqual([error.code, error.detail.retry_after !== 5], ["unavailable", true]);
        return true;
      });
    }
  });
});
