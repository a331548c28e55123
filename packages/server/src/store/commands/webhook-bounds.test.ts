/** How much the transforms of all webhooks may hold. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { openSqlite } from "../sqlite/open.ts";
import type { Store } from "../store.ts";
import { MAX_TRANSFORM_BYTES } from "./create-webhook.ts";
import type { Author } from "./record-change.ts";

let store: Store;
let entries = 0;
beforeEach(async () => {
  store = await openSqlite({ dataDir: null, now: () => 1 });
});
afterEach(() => store.close());

const author = (): Author => ({
  auditId: `a${entries++}`,
  now: 1,
  kind: "service",
  id: null,
  name: "test",
  address: null,
});
const LARGE = 256 * 1024;
const large = (mark: string) => mark + "x".repeat(LARGE - mark.length);
const create = (id: string, transform: string) =>
  store.execute("createWebhook", {
    author: author(),
    webhook: {
      id,
      env: "production",
      name: id,
      key_hash: id,
      key_sealed: id,
      event_filter: null,
      ip_filter: null,
      rate_limit: null,
    },
    transform,
  });
const update = (id: string, transform: string) =>
  store.execute("updateWebhook", { author: author(), id, change: { transform } });

test("the transforms in use are bounded together, by creating and by changing", async () => {
  for (let i = 1; i < MAX_TRANSFORM_BYTES / LARGE; i++) {
    assert.equal(await create(`w${i}`, large(`w${i}`)), "created");
  }
  assert.equal(await create("small", "s"), "created");
  assert.equal(await create("over", large("over")), "too_large");
  assert.equal(await update("small", large("small")), "changed", "its own size before does not count");
  assert.equal(await create("over", "o"), "too_large");
  assert.equal(await update("w1", large("changed")), "changed");
  assert.equal(await store.execute("deleteWebhook", { author: author(), id: "w2" }), true);
  assert.equal(await create("over", large("over")), "created");
});

test("the versions of one webhook are bounded together, and the oldest go first", async () => {
  await create("w", large("1"));
  for (let version = 2; version <= 40; version++) await update("w", large(`${version} `));
  await update("w", "short");
  const args = { webhookId: "w", cursor: null, limit: 200, maxBytes: 100 * LARGE };
  const { versions } = await store.query("webhookVersions", args);
  assert.deepEqual(
    versions.map(({ version }) => version),
    Array.from({ length: 32 }, (_, i) => 41 - i),
  );
});
