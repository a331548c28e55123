/** What every engine of the store must do with webhooks and their requests. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AcceptedEvent } from "../../src/store/commands/accept-events.ts";
import type { CommandArgs } from "../../src/store/commands/index.ts";
import type { NewWebhookRequest } from "../../src/store/commands/receive-webhook-requests.ts";
import type { Author } from "../../src/store/commands/record-change.ts";
import type { RequestStatus } from "../../src/store/webhook-records.ts";
import { engineUnderTest, type OpenStore, T0 } from "./engine-under-test.ts";

const HOUR = 3_600_000;
type FinishArgs = CommandArgs<"finishWebhookRequest">;

export function webhookContract(engineName: string, open: OpenStore) {
  describe(`webhooks in the store on ${engineName}`, () => {
    const engine = engineUnderTest(open);
    const { nextId } = engine;

    const author = (now = T0): Author => {
      const auditId = nextId(now);
      return { auditId, now, kind: "token", id: "t", name: "tester", address: null };
    };
    const create = async (id: string, transform = "one") => {
      const lists = { event_filter: null, ip_filter: null, rate_limit: null };
      const webhook = { id, env: "dev", name: id, key_hash: `hash ${id}`, key_sealed: "sealed", ...lists };
      assert.equal(
        await engine.store.execute("createWebhook", { author: author(), webhook, transform }),
        "created",
      );
    };
    const update = (id: string, change: CommandArgs<"updateWebhook">["change"], ifVersion?: number) =>
      engine.store.execute("updateWebhook", {
        author: author(),
        id,
        change,
        ...(ifVersion !== undefined && { ifVersion }),
      });
    const loaded = async (id: string) =>
      (await engine.store.query("loadWebhooks", {})).find((webhook) => webhook.id === id);
    const request = (fields: Partial<NewWebhookRequest> = {}): NewWebhookRequest => {
      const receivedAt = fields.receivedAt ?? T0;
      return {
        webhookId: "wh",
        id: nextId(receivedAt),
        receivedAt,
        address: "192.0.2.1",
        size: 2,
        branch: null,
        status: "pending",
        method: "POST",
        path: "/e/…",
        query: "a=1",
        headers: '{"A":"1"}',
        body: "{}",
        body_encoding: "utf8",
        ...fields,
      };
    };
    const receive = async (fields: Partial<NewWebhookRequest> = {}): Promise<NewWebhookRequest> => {
      const kept = request(fields);
      await engine.store.execute("receiveWebhookRequests", { requests: [kept] });
      return kept;
    };
    const event = (dedup: string | null = null, data = "{}"): AcceptedEvent => [
      nextId(T0),
      "a/b",
      T0,
      dedup,
      data,
      null,
      null,
    ];
    const outcome = (status: FinishArgs["outcome"]["status"]): FinishArgs["outcome"] => ({
      status,
      version: 1,
      error: null,
      logs: null,
      duration_us: 5,
      events: null,
    });
    const accept = (events: AcceptedEvent[]): FinishArgs["accept"] => ({
      env: "dev",
      source: "webhook",
      sourceName: "wh",
      events,
    });
    const finish = ({ webhookId, id, receivedAt, status }: NewWebhookRequest, fields: Partial<FinishArgs>) =>
      engine.store.execute("finishWebhookRequest", {
        webhookId,
        id,
        receivedAt,
        now: T0 + 10,
        expect: { status, finishedAt: null },
        outcome: outcome(fields.accept ? "accepted" : "ignored"),
        accept: null,
        ...fields,
      });
    const find = (id: string) => engine.store.query("findWebhookRequest", { id });
    const found = (eventId: string) => engine.store.query("findEvent", { env: "dev", id: eventId });
    const link = (eventId: string) => engine.store.query("requestOfEvent", { env: "dev", eventId });
    const list = (statuses: RequestStatus[] | null, cursor: string | null = null, limit = 100) =>
      engine.store.query("listWebhookRequests", { webhookId: "wh", statuses, cursor, limit });
    const counts = async (sinceHour = 0) =>
      (await engine.store.query("webhookActivity", { webhookIds: ["wh"], sinceHour })).wh!;

    test("a webhook is loaded with the transform in use, until it is deleted", async () => {
      await create("wh");
      const webhook = await loaded("wh");
      assert.deepEqual([webhook?.transform, webhook?.version, webhook?.created_by], ["one", 1, "tester"]);
      assert.equal(await engine.store.execute("deleteWebhook", { author: author(), id: "wh" }), true);
      assert.equal(await loaded("wh"), undefined);
      assert.equal(await engine.store.execute("deleteWebhook", { author: author(), id: "wh" }), false);
      assert.equal(await update("wh", { name: "x" }), "not_found");
      const rotated = { author: author(), id: "wh", keyHash: "h", keySealed: "s" };
      assert.equal(await engine.store.execute("rotateWebhookKey", rotated), false);
    });

    test("a new transform is the next version, an equal one is not, and a stale one is a conflict", async () => {
      await create("wh");
      assert.equal(await update("wh", { transform: "one" }), "changed");
      assert.equal((await loaded("wh"))?.version, 1);
      assert.equal(await update("wh", { transform: "two" }, 1), "changed");
      assert.equal(await update("wh", { transform: "three" }, 1), "version_conflict");
      assert.deepEqual([(await loaded("wh"))?.version, (await loaded("wh"))?.transform], [2, "two"]);
      const old = await engine.store.query("findWebhookVersion", { webhookId: "wh", version: 1 });
      assert.equal(old?.transform, "one");
      assert.equal(await engine.store.query("findWebhookVersion", { webhookId: "wh", version: 3 }), null);
    });

    test("versions are listed newest first, page by page, and only the last 200 are kept", async () => {
      await create("wh", "1");
      for (let n = 2; n <= 203; n++) await update("wh", { transform: String(n) });
      const versions = async (cursor: number | null, limit: number) =>
        engine.store.query("webhookVersions", { webhookId: "wh", cursor, limit, maxBytes: 1e6 });
      const first = await versions(null, 2);
      assert.deepEqual(
        first.versions.map(({ version }) => version),
        [203, 202],
      );
      const rest = await versions(first.next, 1_000);
      assert.deepEqual([rest.versions.length, rest.versions.at(-1)?.version, rest.next], [198, 4, null]);
    });

    test("pausing keeps the moment of the first pause, and an absent field stays", async () => {
      await create("wh");
      await update("wh", { paused: true, event_filter: '{"allow":[],"deny":["a"]}' });
      const { paused_at } = (await loaded("wh"))!;
      assert.equal(paused_at, T0);
      await engine.store.execute("updateWebhook", {
        author: author(T0 + 5),
        id: "wh",
        change: { paused: true },
      });
      assert.equal((await loaded("wh"))?.paused_at, T0);
      await update("wh", { paused: false });
      const { paused_at: none, event_filter } = (await loaded("wh"))!;
      assert.deepEqual([none, event_filter], [null, '{"allow":[],"deny":["a"]}']);
    });

    test("a rotated key replaces the old one, and no two webhooks have the same", async () => {
      await create("wh");
      await engine.store.execute("rotateWebhookKey", {
        author: author(),
        id: "wh",
        keyHash: "hash other",
        keySealed: "new",
      });
      const { key_hash, key_sealed } = (await loaded("wh"))!;
      assert.deepEqual([key_hash, key_sealed], ["hash other", "new"]);
      await assert.rejects(create("other"));
    });

    test("a request is kept as it came", async () => {
      const bodies = ["", "\0\ufeff\u2028 é🚚\r\n", "x".repeat(700_000)];
      for (const body of bodies) {
        const kept = await receive({ body, size: Buffer.byteLength(body), branch: "b/1" });
        const { webhookId, receivedAt, ...rest } = kept;
        const stored = (await find(kept.id))!;
        for (const [name, value] of Object.entries(rest))
          assert.equal(stored[name as keyof typeof stored], value, name);
        assert.deepEqual([stored.webhook_id, stored.received_at], [webhookId, receivedAt]);
        assert.deepEqual([stored.finished_at, stored.event_ids, stored.version], [null, null, null]);
      }
      assert.equal(await find("none"), null);
    });

    test("requests of one command are kept all together or not at all", async () => {
      const [good, twice] = [request(), request()];
      await assert.rejects(
        engine.store.execute("receiveWebhookRequests", { requests: [good, twice, { ...twice }] }),
      );
      assert.equal(await find(good.id), null);
    });

    test("an outcome is stored with its events, and each of them leads to its request", async () => {
      const kept = await receive();
      const events = [event(), event()];
      const finished = await finish(kept, { accept: accept(events) });
      assert.deepEqual(finished, { status: "accepted", duplicates: null });
      const stored = (await find(kept.id))!;
      assert.deepEqual(JSON.parse(stored.event_ids!), [events[0]![0], events[1]![0]]);
      assert.deepEqual([stored.status, stored.env, stored.finished_at], ["accepted", "dev", T0 + 10]);
      for (const [id] of events) {
        assert.deepEqual(await link(id), { webhook_id: "wh", request_id: kept.id });
        assert.equal((await found(id))?.source_kind, "webhook");
      }
      assert.equal(await link("none"), null);
    });

    test("an outcome whose events cannot be stored is not stored either", async () => {
      const kept = await receive();
      const bad = event();
      (bad as unknown[])[4] = null; // data must not be null
      const good = event("claimed");
      await assert.rejects(finish(kept, { accept: accept([good, bad]) }));
      assert.equal((await find(kept.id))?.status, "pending");
      assert.deepEqual([await found(good[0]), await link(good[0])], [null, null]);
      assert.deepEqual((await counts()).counts, {});
      assert.equal((await finish(kept, { accept: accept([event("claimed")]) }))?.duplicates, null);
    });

    test("of two outcomes for one state of a request, one wins and the other writes nothing", async () => {
      const kept = await receive();
      const [a, b] = [event(), event()];
      const results = await Promise.all([
        finish(kept, { accept: accept([a]) }),
        finish(kept, { accept: accept([b]), now: T0 + 11 }),
      ]);
      assert.deepEqual(
        results.map((result) => result?.status ?? null),
        ["accepted", null],
      );
      assert.equal((await found(a[0]))?.id, a[0]);
      assert.equal(await found(b[0]), null);
      assert.deepEqual((await counts()).counts, { accepted: 1 });
      // The state of the first outcome is the one to build on now.
      const again = { expect: { status: "accepted" as const, finishedAt: T0 + 10 }, now: T0 + 20 };
      assert.equal((await finish(kept, again))?.status, "ignored");
      assert.equal(await finish(kept, again), null);
      // Equal in status, and yet another state: it was ignored later than that.
      const stale = { expect: { status: "ignored" as const, finishedAt: T0 + 10 }, now: T0 + 30 };
      assert.equal(await finish(kept, stale), null);
      assert.equal(await finish({ ...kept, webhookId: "other" }, {}), null);
    });

    test("a duplicate names the first event and stays linked to the first request", async () => {
      const first = await receive();
      const original = event("order-1");
      await finish(first, { accept: accept([original]) });
      const second = await receive();
      const [repeated, fresh] = [event("order-1"), event()];
      const mixed = await finish(second, { accept: accept([repeated, fresh]) });
      assert.deepEqual(mixed, { status: "accepted", duplicates: [[0, original[0]]] });
      assert.deepEqual(JSON.parse((await find(second.id))!.event_ids!), [original[0], fresh[0]]);
      assert.equal((await link(original[0]))?.request_id, first.id);
      assert.equal((await link(fresh[0]))?.request_id, second.id);
      assert.equal(await link(repeated[0]), null);
      const third = await receive();
      const only = await finish(third, { accept: accept([event("order-1")]) });
      assert.equal(only?.status, "duplicate");
      assert.equal((await find(third.id))?.status, "duplicate");
      assert.deepEqual((await counts()).counts, { accepted: 2, duplicate: 1 });
    });

    test("equal ids inside one request: the first event wins", async () => {
      const kept = await receive();
      const [a, b] = [event("x"), event("x")];
      const finished = await finish(kept, { accept: accept([a, b]) });
      assert.deepEqual(finished, { status: "accepted", duplicates: [[1, a[0]]] });
      assert.deepEqual(JSON.parse((await find(kept.id))!.event_ids!), [a[0], a[0]]);
    });

    test("what an unrouted request holds is kept until it is routed", async () => {
      const kept = await receive({ branch: "b" });
      await finish(kept, { outcome: { ...outcome("unrouted"), events: '{"name":"a/b"}', error: "{}" } });
      assert.deepEqual(
        [(await find(kept.id))?.events, (await find(kept.id))?.error],
        ['{"name":"a/b"}', "{}"],
      );
      const routed = { expect: { status: "unrouted" as const, finishedAt: T0 + 10 }, now: T0 + 20 };
      await finish(kept, { ...routed, accept: accept([event()]) });
      assert.deepEqual([(await find(kept.id))?.events, (await find(kept.id))?.error], [null, null]);
    });

    test("requests are listed newest first, by status, page by page, without their payloads", async () => {
      const kept: NewWebhookRequest[] = [];
      for (let n = 0; n < 6; n++) kept.push(await receive({ status: n === 5 ? "paused" : "pending" }));
      await receive({ webhookId: "other" });
      await finish(kept[0]!, { accept: accept([event()]) });
      await finish(kept[1]!, { outcome: outcome("failed") });
      await finish(kept[3]!, { outcome: outcome("failed") });
      const places = async (...args: Parameters<typeof list>) =>
        (await list(...args)).requests.map(({ id }) => kept.findIndex((each) => each.id === id));
      assert.deepEqual(await places(null), [5, 4, 3, 2, 1, 0]);
      assert.deepEqual(await places(["failed"]), [3, 1]);
      assert.deepEqual(await places(["accepted"]), [0]);
      assert.deepEqual(await places(["failed", "accepted", "paused"]), [5, 3, 1, 0]);
      assert.deepEqual(await places([]), []);
      const first = await list(["pending", "failed"], null, 3);
      assert.equal(first.next, kept[2]!.id);
      assert.deepEqual(await places(["pending", "failed"], null, 3), [4, 3, 2]);
      assert.deepEqual(await places(["pending", "failed"], first.next, 3), [1]);
      assert.equal((await list(["pending", "failed"], first.next, 3)).next, null);
      assert.ok(!("body" in first.requests[0]!));
    });

    test("outcomes are counted in the hour of their request", async () => {
      const hour = Math.floor(T0 / HOUR);
      const early = await receive();
      const late = await receive({ receivedAt: T0 + HOUR, status: "paused" });
      await finish(early, { now: T0 + 5 * HOUR });
      assert.deepEqual((await counts(hour)).counts, { ignored: 1, paused: 1 });
      assert.deepEqual((await counts(hour + 1)).counts, { paused: 1 });
      assert.equal((await counts()).lastReceivedAt, late.receivedAt);
      assert.deepEqual(
        (await engine.store.query("webhookActivity", { webhookIds: ["none"], sinceHour: 0 })).none,
        {
          counts: {},
          lastReceivedAt: null,
        },
      );
    });

    test("purging removes requests with payloads, links and counts, a step at a time, and keeps events", async () => {
      await create("wh");
      const events = [event(), event(), event()];
      for (const each of events) await finish(await receive(), { accept: accept([each]) });
      const left = await receive({ receivedAt: T0 + 2 * HOUR });
      const hour = Math.floor(T0 / HOUR);
      const purge = (beforeHour: number) =>
        engine.store.execute("purgeWebhookRequests", { beforeId: left.id, beforeHour, limit: 2 });
      assert.equal(await engine.store.query("oldestWebhookRequest", {}), T0);
      assert.deepEqual([await purge(hour), await purge(hour), await purge(hour)], [2, 1, 0]);
      assert.deepEqual(
        (await list(null)).requests.map(({ id }) => id),
        [left.id],
      );
      assert.equal(await engine.store.query("oldestWebhookRequest", {}), left.receivedAt);
      for (const [id] of events) {
        assert.equal(await link(id), null);
        assert.equal((await found(id))?.id, id);
      }
      assert.equal((await find(left.id))?.body, "{}");
      assert.deepEqual((await counts()).counts, { accepted: 3 });
      await purge(hour + 1);
      assert.deepEqual((await counts()).counts, {});
      assert.equal((await loaded("wh"))?.transform, "one");
    });

    test("a deleted webhook goes with its last request, and its versions and counts go with it", async () => {
      await create("wh");
      const kept = await receive();
      await finish(kept, {});
      await engine.store.execute("deleteWebhook", { author: author(), id: "wh" });
      const purge = (beforeId: string) =>
        engine.store.execute("purgeWebhookRequests", { beforeId, beforeHour: 0, limit: 10 });
      const version = () => engine.store.query("findWebhookVersion", { webhookId: "wh", version: 1 });
      await purge(kept.id);
      assert.equal((await version())?.transform, "one");
      assert.equal(await purge("8"), 1);
      assert.deepEqual([await version(), (await counts()).counts], [null, {}]);
      assert.equal(await engine.store.query("oldestWebhookRequest", {}), null);
    });
  });
}
