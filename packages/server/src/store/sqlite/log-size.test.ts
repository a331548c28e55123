import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { connect } from "./connection.ts";
import { boundLog } from "./log-size.ts";

const MIB = 1024 * 1024;

test("the log is kept short while the disk is nearly full, and only then", () => {
  const db = new DatabaseSync(":memory:");
  const pages = () => db.prepare("PRAGMA wal_autocheckpoint").get()?.wal_autocheckpoint;
  let free = 1024 * MIB;
  const committed = boundLog(db, "", () => free);
  const commits = () => {
    for (let i = 0; i < 64; i++) committed();
  };
  assert.equal(pages(), 4000);
  free = 10 * MIB;
  commits();
  assert.equal(pages(), 250);
  free = 1024 * MIB;
  commits();
  assert.equal(pages(), 4000);
  db.close();
});

test("opening a store again writes nothing, so that it also opens on a full disk", () => {
  const dir = mkdtempSync(join(tmpdir(), "svc-open-"));
  const path = join(dir, "svc.db");
  const open = () => connect({ path, durable: true, readOnly: false }).db;
  const first = open();
  first.exec("CREATE TABLE t (x)");
  const version = () => first.prepare("PRAGMA data_version").get()?.data_version;
  const before = version();
  open().close();
  assert.equal(version(), before);
  first.close();
  rmSync(dir, { recursive: true });
});
