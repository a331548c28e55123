import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { migrations } from "../src/store/migrations/index.ts";
import { connect } from "../src/store/sqlite/connection.ts";
import { migrate } from "../src/store/sqlite/migrate.ts";
import { openSqlite } from "../src/store/sqlite/open.ts";
import { storeContract } from "./store-contract/index.ts";

const now = () => 1_700_000_000_000;

function tempDir() {
  const dir = mkdtempSync(join(tmpdir(), "svc-store-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

async function openEmpty() {
  const { dir, remove } = tempDir();
  const store = await openSqlite({ dataDir: dir, now });
  return {
    store,
    async discard() {
      await store.close();
      remove();
    },
  };
}

storeContract("SQLite", openEmpty);

describe("the SQLite store", () => {
  test("nobody else on the machine can read its files, also in a directory that is open to all", async (t) => {
    const { dir, remove } = tempDir();
    chmodSync(dir, 0o755);
    const store = await openSqlite({ dataDir: dir, now });
    t.after(async () => {
      await store.close();
      remove();
    });
    await store.execute("ensureEnvironments", { now: now(), environments: [] });
    const files = readdirSync(dir).filter((file) => file.startsWith("svc.db"));
    assert.deepEqual(files.sort(), ["svc.db", "svc.db-shm", "svc.db-wal"]);
    for (const file of files) assert.equal(statSync(join(dir, file)).mode & 0o077, 0, file);
  });

  test("a second process on the same directory is turned away with a sentence", async (t) => {
    const { dir, remove } = tempDir();
    const store = await openSqlite({ dataDir: dir, now });
    t.after(async () => {
      await store.close();
      remove();
    });
    await assert.rejects(openSqlite({ dataDir: dir, now }), /Another svc is running/);
  });

  test("reads go on after a reader has died", async (t) => {
    const { dir, remove } = tempDir();
    const store = await openSqlite({ dataDir: dir, now });
    t.after(async () => {
      await store.close();
      remove();
    });
    renameSync(dir, `${dir}.away`);
    await assert.rejects(store.query("environments", {}), /unable to open/);
    renameSync(`${dir}.away`, dir);
    assert.deepEqual(await store.query("environments", {}), []);
  });

  test("what was committed is there after the store was opened anew", async (t) => {
    const { dir, remove } = tempDir();
    t.after(remove);
    const first = await openSqlite({ dataDir: dir, now });
    const events = [["id-1", "a/b", now(), null, "{}", null, null]] as never;
    await first.execute("acceptEvents", {
      env: "dev",
      now: now(),
      source: "key",
      sourceName: null,
      events,
      seeded: false,
    });
    await first.close();
    const second = await openSqlite({ dataDir: dir, now });
    assert.deepEqual(await second.query("environments", {}), ["dev"]);
    await second.close();
  });

  test("a store that is not kept leaves nothing behind", async () => {
    const store = await openSqlite({ dataDir: null, now });
    assert.deepEqual(await store.query("environments", {}), []);
    await store.close();
  });

  test("the data of a newer release is refused, not touched", async (t) => {
    const { dir, remove } = tempDir();
    t.after(remove);
    await (await openSqlite({ dataDir: dir, now })).close();
    const { db } = connect({ path: join(dir, "svc.db"), durable: true, readOnly: false });
    db.exec("INSERT INTO schema_migrations VALUES (9999, 'from the future', 0)");
    db.close();
    await assert.rejects(openSqlite({ dataDir: dir, now }), /newer release/);
  });

  test("every earlier schema is brought up to date", (t) => {
    for (let version = 0; version < migrations.length; version++) {
      const { dir, remove } = tempDir();
      t.after(remove);
      const connection = connect({ path: join(dir, "svc.db"), durable: true, readOnly: false });
      migrate(connection, now(), version);
      migrate(connection, now());
      const row = connection.db.prepare("SELECT MAX(version) AS version FROM schema_migrations").get();
      assert.equal(row?.version, migrations.length);
      connection.db.close();
    }
  });

  test("space that retention frees goes back to the disk", async (t) => {
    const { dir, remove } = tempDir();
    const store = await openSqlite({ dataDir: dir, now });
    t.after(async () => {
      await store.close();
      remove();
    });
    const data = JSON.stringify({ text: "x".repeat(2_000) });
    const events = Array.from({ length: 2_000 }, (_, i) => [
      `id-${i}`,
      "a/b",
      now(),
      null,
      data,
      null,
      null,
    ]) as never;
    await store.execute("acceptEvents", {
      env: "dev",
      now: now(),
      source: "key",
      sourceName: null,
      events,
      seeded: false,
    });
    const full = await store.size();
    await store.execute("purge", {
      env: "dev",
      before: now() + 1,
      limit: 5_000,
      after: { receivedAt: -1, id: "" },
    });
    await store.shrink();
    assert.ok((await store.size()) < full / 4);
  });
});
