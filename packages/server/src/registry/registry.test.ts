import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { FunctionConfig, SyncRequest } from "@svc/protocol";
import { silentLogger } from "../observe/log.ts";
import type { Author } from "../store/commands/record-change.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Store } from "../store/store.ts";
import { type AppRegistry, createRegistry, type TriggeringEvent } from "./registry.ts";

const FACTS = { dialect: "svc" as const };
let store: Store;
let registry: AppRegistry;
let clock = 1_000_000;
let archived: [string, string[]][] = [];

const open = () =>
  createRegistry({
    store,
    logger: silentLogger,
    now: () => clock,
    onArchived: (env, ids) => archived.push([env, ids]),
  });

beforeEach(async () => {
  archived = [];
  store = await openSqlite({ dataDir: null, now: () => clock });
  registry = await open();
});
afterEach(() => store.close());

function fn(id: string, more: Partial<FunctionConfig> = {}, retries?: number): FunctionConfig {
  return {
    id,
    name: id,
    triggers: [{ event: "shop/order" }],
    steps: {
      step: {
        id: "step",
        name: "step",
        runtime: { type: "http", url: `http://127.0.0.1:3000/api/svc?fnId=${id}&stepId=step` },
        ...(retries === undefined ? {} : { retries: { attempts: retries } }),
      },
    },
    ...more,
  };
}

function app(appName: string, ...functions: FunctionConfig[]): SyncRequest {
  const url = "http://127.0.0.1:3000/api/svc";
  return { url, deployType: "ping", appName, sdk: "js:v1", v: "0.1", functions };
}

const ORDER: TriggeringEvent = { id: "01", name: "shop/order", ts: 1, data: "{}", extra: null };
const triggered = () => registry.match("dev", ORDER).map((one) => one.id);

test("a sync makes functions known to events, and is remembered by the store", async () => {
  const outcome = await registry.sync("dev", app("shop", fn("shop-a"), fn("shop-b", {}, 2)), FACTS);
  assert.equal(outcome.modified, true);
  assert.equal(outcome.app_id, "shop");
  assert.deepEqual(triggered(), ["shop-a", "shop-b"]);
  const known = registry.find("dev", "shop-b")!;
  assert.equal(known.url, "http://127.0.0.1:3000/api/svc?fnId=shop-b");
  assert.equal(known.maxAttempts, 3);
  assert.equal(registry.find("dev", "shop-a")!.maxAttempts, 5);

  registry = await open();
  assert.deepEqual(triggered(), ["shop-a", "shop-b"]);
  assert.deepEqual(registry.find("dev", "shop-b"), known);
  assert.equal(registry.apps("dev")[0]!.url, "http://127.0.0.1:3000/api/svc");
});

test("the same sync again modifies nothing; another configuration does and applies at once", async () => {
  await registry.sync("dev", app("shop", fn("shop-a")), FACTS);
  assert.equal((await registry.sync("dev", app("shop", fn("shop-a")), FACTS)).modified, false);
  clock += 3_600_000;
  assert.equal((await registry.sync("dev", app("shop", fn("shop-a")), FACTS)).modified, false);
  assert.equal(registry.apps("dev")[0]!.synced_at, clock);
  const changed = fn("shop-a", { triggers: [{ event: "shop/other" }] });
  assert.equal((await registry.sync("dev", app("shop", changed), FACTS)).modified, true);
  assert.deepEqual(triggered(), []);
});

test("an unchanged sync within a minute is answered without a write", async () => {
  let writes = 0;
  const counting = {
    execute: ((name: never, args: never) => {
      writes++;
      return store.execute(name, args);
    }) as Store["execute"],
    query: store.query,
  };
  const counted = await createRegistry({ store: counting, logger: silentLogger, now: () => clock });
  for (let i = 0; i < 5; i++) await counted.sync("dev", app("shop", fn("shop-a")), FACTS);
  assert.equal(writes, 1);
});

test("the dialect of an app is known for as long as its runs may end, also once it is archived", async () => {
  await registry.sync("dev", app("shop", fn("shop-a")), { dialect: "inngest" });
  await registry.archiveApp("dev", "shop");
  for (const each of [registry, await open()]) assert.equal(each.dialectOf("dev", "shop"), "inngest");
  assert.equal(registry.dialectOf("dev", "unheard-of"), "svc");
});

test("a function that vanishes is archived and told of; when it returns it is back", async () => {
  await registry.sync("dev", app("shop", fn("shop-a"), fn("shop-b")), FACTS);
  await registry.sync("dev", app("shop", fn("shop-a")), FACTS);
  assert.deepEqual(archived, [["dev", ["shop-b"]]]);
  assert.deepEqual(triggered(), ["shop-a"]);
  assert.equal(registry.find("dev", "shop-b"), undefined);
  await registry.sync("dev", app("shop", fn("shop-a"), fn("shop-b")), FACTS);
  assert.deepEqual(triggered(), ["shop-a", "shop-b"]);
});

test("an app that is removed takes its functions along and comes back with its next sync", async () => {
  await registry.sync("dev", app("shop", fn("shop-a")), FACTS);
  assert.equal(await registry.archiveApp("dev", "shop"), true);
  assert.equal(await registry.archiveApp("dev", "shop"), false);
  assert.deepEqual(archived, [["dev", ["shop-a"]]]);
  assert.deepEqual(registry.apps(), []);
  assert.deepEqual(triggered(), []);
  assert.equal((await registry.sync("dev", app("shop", fn("shop-a")), FACTS)).modified, true);
  assert.deepEqual(triggered(), ["shop-a"]);
});

test("a function id belongs to one living app of an environment", async () => {
  await registry.sync("dev", app("shop", fn("x")), FACTS);
  await assert.rejects(registry.sync("dev", app("till", fn("y"), fn("x")), FACTS), {
    code: "conflict",
    message: /"x" belongs to the app "shop" already/,
  });
  assert.equal(registry.find("dev", "y"), undefined);
  await registry.sync("production", app("till", fn("x")), FACTS);
  await registry.archiveApp("dev", "shop");
  await registry.sync("dev", app("till", fn("y"), fn("x")), FACTS);
  assert.equal(registry.find("dev", "x")!.appId, "till");
  await registry.reload();
  assert.equal(registry.find("dev", "x")!.appId, "till");
});

test("syncs at the same time leave the index as the store has it", async () => {
  const syncs = Array.from({ length: 20 }, (_, i) =>
    registry.sync(
      "dev",
      app("shop", ...Array.from({ length: (i * 7) % 5 }, (_, n) => fn(`shop-${n}`))),
      FACTS,
    ),
  );
  await Promise.all([...syncs, registry.reload(), registry.archiveApp("dev", "shop")]);
  const inMemory = triggered();
  registry = await open();
  assert.deepEqual(triggered().sort(), inMemory.sort());
});

test("the error of an app is kept until its next good sync", async () => {
  await registry.sync("dev", app("shop", fn("shop-a")), FACTS);
  await registry.setAppError("dev", "shop", "connection refused");
  registry = await open();
  assert.equal(registry.apps("dev")[0]!.error, "connection refused");
  await registry.sync("dev", app("shop", fn("shop-a")), FACTS);
  await registry.reload();
  assert.equal(registry.apps("dev")[0]!.error, null);
});

test("an app's dialect is that of its sync", async () => {
  await registry.sync("dev", app("shop", fn("shop-a")), { dialect: "inngest" });
  assert.equal(registry.find("dev", "shop-a")!.dialect, "inngest");
});

const AUTHOR: Author = { auditId: "01AUDIT", now: 5, kind: "user", id: "u", name: "Ada", address: null };

test("a paused function is triggered by nothing until it is resumed, also after syncs and restarts", async () => {
  const synced = app("shop", fn("shop-a"), fn("shop-b"));
  await registry.sync("dev", synced, FACTS);
  assert.equal(await registry.pauseFunction(AUTHOR, "dev", "shop-a", true), true);
  assert.deepEqual(triggered(), ["shop-b"]);
  assert.equal(
    registry.find("dev", "shop-a")!.paused,
    true,
    "it is still there, to be invoked and for its runs",
  );

  clock += 120_000;
  await registry.sync("dev", synced, FACTS);
  assert.deepEqual(triggered(), ["shop-b"]);
  registry = await open();
  assert.deepEqual(triggered(), ["shop-b"]);

  assert.equal(await registry.pauseFunction({ ...AUTHOR, auditId: "02AUDIT" }, "dev", "shop-a", false), true);
  assert.deepEqual(triggered().sort(), ["shop-a", "shop-b"]);
});

test("pausing is in the audit log once, and what is no living function cannot be paused", async () => {
  await registry.sync("dev", app("shop", fn("shop-a")), FACTS);
  await registry.pauseFunction(AUTHOR, "dev", "shop-a", true);
  await registry.pauseFunction({ ...AUTHOR, auditId: "02AUDIT" }, "dev", "shop-a", true);
  const any = { actor: null, action: null, target: null, after: null, before: null, cursor: null };
  const { entries } = await store.query("listAuditLog", { ...any, limit: 10, maxBytes: 1e6 });
  assert.deepEqual(
    entries.map(({ action, target_id, after }) => [action, target_id, after]),
    [["function.paused", "shop-a", '{"paused":true}']],
  );
  assert.equal(await registry.pauseFunction(AUTHOR, "dev", "shop-none", true), false);
  assert.equal(await registry.pauseFunction(AUTHOR, "other", "shop-a", true), false);
  await registry.archiveApp("dev", "shop");
  assert.equal(await registry.pauseFunction(AUTHOR, "dev", "shop-a", false), false);
});

test("an app remembers what its last sync changed, also after one that changed nothing and a new start", async () => {
  const changeOf = () => JSON.parse(registry.apps("dev")[0]!.last_change!);
  await registry.sync("dev", app("shop", fn("shop-a"), fn("shop-b")), FACTS);
  assert.deepEqual(changeOf().added, ["shop-a", "shop-b"]);
  clock += 1_000;
  const other = fn("shop-b", { name: "another name" });
  await registry.sync("dev", app("shop", other, fn("shop-c")), FACTS);
  const change = {
    at: clock,
    added: ["shop-c"],
    changed: ["shop-b"],
    removed: ["shop-a"],
    counts: { added: 1, changed: 1, removed: 1 },
  };
  assert.deepEqual(changeOf(), change);
  clock += 3_600_000;
  assert.equal((await registry.sync("dev", app("shop", other, fn("shop-c")), FACTS)).modified, false);
  assert.deepEqual(changeOf(), change);
  registry = await open();
  assert.deepEqual(changeOf(), change);
});

test("of a great many changed functions only the first are remembered, and how many there were", async () => {
  const many = Array.from({ length: 120 }, (_, i) => fn(`shop-${String(i).padStart(3, "0")}`));
  await registry.sync("dev", app("shop", ...many), FACTS);
  const change = JSON.parse(registry.apps("dev")[0]!.last_change!);
  assert.equal(change.added.length, 50);
  assert.equal(change.added[0], "shop-000");
  assert.deepEqual(change.counts, { added: 120, changed: 0, removed: 0 });
});
