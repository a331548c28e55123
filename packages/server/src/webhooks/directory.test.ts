import assert from "node:assert/strict";
import { test } from "node:test";
import { digest } from "../access/keys/secrets.ts";
import { systemClock } from "../clock.ts";
import type { Store } from "../store/store.ts";
import type { LoadedWebhook } from "../store/webhook-records.ts";
import { createWebhookDirectory } from "./directory.ts";

const record = (id: string, fields: Partial<LoadedWebhook> = {}): LoadedWebhook => ({
  id,
  env: "production",
  name: id,
  key_hash: digest(`key of ${id}`),
  key_sealed: "",
  version: 1,
  event_filter: null,
  ip_filter: null,
  rate_limit: null,
  created_at: 0,
  created_by: null,
  updated_at: 0,
  paused_at: null,
  transform: "",
  ...fields,
});

/** A store whose answers the test gives, one for each query. */
function answering() {
  const queries: PromiseWithResolvers<LoadedWebhook[]>[] = [];
  const query = () => {
    queries.push(Promise.withResolvers());
    return queries.at(-1)!.promise;
  };
  return { queries, store: { query } as unknown as Pick<Store, "query"> };
}

async function directoryOf(records: LoadedWebhook[]) {
  const { queries, store } = answering();
  const created = createWebhookDirectory(store, systemClock);
  queries[0]!.resolve(records);
  return { queries, directory: await created };
}

test("webhooks are found by key, by id and by the environment that holds them", async () => {
  const { directory } = await directoryOf([record("a"), record("b", { env: "branches" }), record("c")]);
  assert.equal(directory.byKey("key of b")?.id, "b");
  assert.equal(directory.byId("a")?.name, "a");
  assert.deepEqual(
    directory.heldBy("production").map(({ id }) => id),
    ["a", "c"],
  );
  for (const key of ["", "a", "key of d", "__proto__", "k".repeat(1_000_000)]) {
    assert.equal(directory.byKey(key), undefined);
  }
});

test("a reload that began earlier and ends later changes nothing", async () => {
  const { queries, directory } = await directoryOf([record("old")]);
  const [first, second] = [directory.reload(), directory.reload()];
  queries[2]!.resolve([record("newest")]);
  await second;
  assert.equal(directory.byId("newest")?.id, "newest");
  queries[1]!.resolve([record("old")]);
  await first;
  assert.equal(directory.byId("old"), undefined);
  assert.equal(directory.byKey("key of newest")?.id, "newest");
});

test("reloads that end in their order each take effect", async () => {
  const { queries, directory } = await directoryOf([]);
  const [first, second] = [directory.reload(), directory.reload()];
  queries[1]!.resolve([record("a")]);
  await first;
  assert.equal(directory.byId("a")?.id, "a");
  queries[2]!.resolve([record("b")]);
  await second;
  assert.deepEqual(
    directory.all().map(({ id }) => id),
    ["b"],
  );
});

test("a reload that fails leaves what was known, and the next one works", async () => {
  const { queries, directory } = await directoryOf([record("a")]);
  const failing = directory.reload();
  queries[1]!.reject(new Error("no store"));
  await assert.rejects(failing);
  assert.equal(directory.byId("a")?.id, "a");
  const next = directory.reload();
  queries[2]!.resolve([]);
  await next;
  assert.equal(directory.byId("a"), undefined);
});

test("lists and limits are made ready once, and absent ones let all in", async () => {
  const { directory } = await directoryOf([
    record("a", {
      event_filter: '{"allow":["a/*"],"deny":[]}',
      ip_filter: '{"allow":[],"deny":["192.0.2.0/24"]}',
      rate_limit: '{"requests":5,"per":"minute"}',
    }),
    record("b"),
  ]);
  const [a, b] = [directory.byId("a")!, directory.byId("b")!];
  assert.deepEqual([a.gate!.admitsName!("a/x"), a.gate!.admitsName!("b/x")], [true, false]);
  assert.deepEqual(
    [a.gate!.admitsAddress!("192.0.2.7"), a.gate!.admitsAddress!("198.51.100.1")],
    [false, true],
  );
  assert.notEqual(a.gate!.rateLimit, null);
  assert.equal(b.gate, null);
});
