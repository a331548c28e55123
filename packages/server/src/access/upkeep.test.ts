import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { createUlidGenerator } from "@svc/protocol";
import { type ManualClock, manualClock } from "../../test/manual-clock.ts";
import { silentLogger } from "../observe/log.ts";
import type { Author } from "../store/commands/record-change.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Store } from "../store/store.ts";
import { type Access, createAccess } from "./access.ts";
import { BRANCH_PARENT } from "./environments.ts";
import { makeKey } from "./keys/new-key.ts";
import { createSealer, digest } from "./keys/secrets.ts";
import { SESSION_IDLE_MS } from "./people/people.ts";
import { startUpkeep, type Upkeep } from "./upkeep.ts";

const T0 = 1_700_000_000_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

describe("the upkeep of access", () => {
  let clock: ManualClock;
  let store: Store;
  let access: Access;
  let upkeep: Upkeep;
  const nextId = createUlidGenerator();
  const sealer = createSealer("test");
  /** Set by tests to make writes fail. */
  let broken = false;

  beforeEach(async () => {
    broken = false;
    clock = manualClock(T0);
    store = await openSqlite({ dataDir: null, now: clock.now });
    const config = { mode: "start" as const, eventKeys: ["seeded"], signingKeys: [], apiTokens: [] };
    access = await createAccess({ config, store, sealer, clock, nextId });
    const execute: Store["execute"] = (name, args) => {
      if (broken && name === "touchAccess") return Promise.reject(new Error("the disk is full"));
      return store.execute(name, args);
    };
    const options = { clock, logger: silentLogger, nextId, branchArchiveAfterMs: 7 * DAY };
    upkeep = startUpkeep({ access, store: { execute }, ...options });
  });
  afterEach(async () => {
    await upkeep.stop();
    await store.close();
  });

  const author = (): Author => ({
    auditId: nextId(clock.now()),
    now: clock.now(),
    kind: "user",
    id: "u",
    name: "Ada",
    address: null,
  });
  const branch = async (name: string): Promise<string> => {
    await store.execute("createEnvironment", { author: author(), id: name, name, type: "branch" });
    await access.reload();
    return name;
  };
  const eventKey = async (): Promise<{ id: string; secret: string }> => {
    const environment = access.environments.byId(BRANCH_PARENT)!;
    const id = nextId(clock.now());
    const made = await makeKey({ id, kind: "event", name: "web", environment }, sealer);
    await store.execute("createKey", { author: author(), key: made.record });
    await access.reload();
    return { id, secret: made.secret };
  };
  /** Somebody who has logged in. */
  const session = async (token: string): Promise<void> => {
    const now = clock.now();
    const user = { id: "ada", email: "ada@example.com", name: "Ada", password_hash: "x" };
    const from = { created_at: now, expires_at: now + 3 * SESSION_IDLE_MS, address: null, user_agent: null };
    const session = { id: "s1", user_id: "ada", token_hash: digest(token), ...from };
    await store.execute("setUpOwner", { author: author(), user, session });
    await access.reload();
  };
  const stored = () => store.query("loadAccess", { now: clock.now() });
  const environment = async (id: string) => (await stored()).environments.find((each) => each.id === id)!;
  const isArchived = async (id: string) => (await environment(id)).archived_at !== null;

  test("use is written down a minute later at most, and at the end", async () => {
    const id = await branch("a");
    const { secret } = await eventKey();
    clock.advance(10 * MINUTE);
    access.sender(secret, "a");
    await upkeep.sweep();
    assert.equal((await environment(id)).last_active_at, clock.now());
    assert.equal((await stored()).keys[0]!.last_used_at, clock.now());
    const before = clock.now();
    clock.advance(30_000);
    await upkeep.sweep();
    assert.equal((await environment(id)).last_active_at, before);
    access.sender(secret, "a");
    await upkeep.stop();
    assert.equal((await environment(id)).last_active_at, clock.now());
  });

  test("the timer does it every minute", async () => {
    const { secret } = await eventKey();
    const id = await branch("a");
    access.sender(secret, "a");
    clock.advance(MINUTE);
    // Queued behind the sweep that the timer began.
    await upkeep.sweep();
    assert.equal((await environment(id)).last_active_at, T0 + MINUTE);
  });

  test("use that could not be written down is written the next time", async () => {
    const id = await branch("a");
    const { secret } = await eventKey();
    clock.advance(MINUTE / 2);
    access.sender(secret, "a");
    broken = true;
    await assert.rejects(upkeep.sweep(), /disk is full/);
    broken = false;
    await upkeep.sweep();
    assert.equal((await environment(id)).last_active_at, clock.now());
    assert.equal((await stored()).keys[0]!.last_used_at, clock.now());
  });

  test("the use of a session is written down, and only when there was one", async () => {
    await session("token");
    clock.advance(MINUTE / 2);
    await upkeep.sweep();
    assert.equal((await stored()).sessions[0]?.last_seen_at, T0);
    assert.equal(access.people.useSession("token")?.user.name, "Ada");
    await upkeep.sweep();
    assert.equal((await stored()).sessions[0]?.last_seen_at, clock.now());
    assert.equal((await stored()).users[0]?.last_seen_at, clock.now());
  });

  test("use of a session that could not be written down is written the next time, at the latest by the stop", async () => {
    await session("token");
    clock.advance(MINUTE / 2);
    access.people.useSession("token");
    broken = true;
    await assert.rejects(upkeep.sweep(), /disk is full/);
    broken = false;
    await upkeep.stop();
    assert.equal((await stored()).sessions[0]?.last_seen_at, clock.now());
  });

  test("sessions that have ended are removed, within the hour", async () => {
    await session("token");
    await upkeep.sweep();
    clock.advance(SESSION_IDLE_MS);
    assert.equal((await stored()).sessions.length, 1);
    for (let sweeps = 0; sweeps < 60; sweeps++) await upkeep.sweep();
    assert.equal((await stored()).sessions.length, 0);
  });

  test("a branch is archived after the time without use, exactly", async () => {
    const id = await branch("a");
    clock.advance(7 * DAY - 1);
    await upkeep.sweep();
    assert.equal(await isArchived(id), false);
    clock.advance(1);
    await upkeep.sweep();
    assert.equal(await isArchived(id), true);
    const { secret } = await eventKey();
    assert.throws(() => access.sender(secret, "a"), { code: "environment_not_found" });
  });

  test("use within the last minute keeps a branch, though it is not written down yet", async () => {
    const id = await branch("a");
    const { secret } = await eventKey();
    clock.advance(8 * DAY - 1);
    access.sender(secret, "a");
    await upkeep.sweep();
    assert.equal(await isArchived(id), false);
  });

  test("use that memory does not know of keeps a branch", async () => {
    const id = await branch("a");
    clock.advance(8 * DAY - MINUTE - 1);
    const used = { now: clock.now(), environments: [id], keys: [], sessions: [], users: [] };
    await store.execute("touchAccess", used);
    await upkeep.sweep();
    assert.equal(await isArchived(id), false);
  });

  test("branches that are exempt, and environments that are no branches, stay", async () => {
    const id = await branch("kept");
    await store.execute("updateEnvironment", { author: author(), id, change: { auto_archive: 0 } });
    await store.execute("createEnvironment", { author: author(), id: "eu", name: "eu", type: "named" });
    await access.reload();
    clock.advance(400 * DAY);
    await upkeep.sweep();
    const archived = (await stored()).environments.filter(({ archived_at }) => archived_at !== null);
    assert.deepEqual(archived, []);
  });

  test("one that was taken back counts as used", async () => {
    const id = await branch("a");
    clock.advance(8 * DAY);
    await upkeep.sweep();
    await store.execute("archiveEnvironment", { author: author(), id, archived: false });
    await access.reload();
    await upkeep.sweep();
    assert.equal(await isArchived(id), false);
  });

  for (const [days, removed] of [
    [30 * DAY, false],
    [30 * DAY + 2, true],
  ] as const) {
    test(`revoked and expired keys are ${removed ? "removed after" : "kept for"} 30 days`, async () => {
      const revoked = await eventKey();
      const expired = await eventKey();
      const living = await eventKey();
      await store.execute("revokeKey", { author: author(), id: revoked.id });
      const environment = access.environments.byId(BRANCH_PARENT)!;
      const { record } = await makeKey({ id: "next", kind: "event", name: "web", environment }, sealer);
      const rotation = { author: author(), id: expired.id, expiresAt: T0 + 1, key: record };
      assert.equal(await store.execute("rotateKey", rotation), "rotated");
      clock.advance(days);
      await upkeep.sweep();
      const left = await store.execute("removeDeadKeys", { before: Number.MAX_SAFE_INTEGER });
      assert.equal(left, removed ? 0 : 2);
      const ids = (await stored()).keys.map(({ id }) => id);
      assert.deepEqual(ids.sort(), [living.id, "next"].sort());
    });
  }
});
