import assert from "node:assert/strict";
import { after, test } from "node:test";
import { manualClock } from "../../../test/manual-clock.ts";
import { testAccess } from "../../../test/test-access.ts";
import { silentLogger } from "../../observe/log.ts";
import { digest } from "../keys/secrets.ts";
import { SESSION_IDLE_MS } from "./people.ts";
import { startSessionUpkeep } from "./session-upkeep.ts";

const closing: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closing) await close();
});

async function open() {
  const { access, store, close } = await testAccess("start");
  closing.push(close);
  const now = Date.now();
  const author = { auditId: "a", now, kind: "user", id: "ada", name: "Ada", address: null };
  await store.execute("setUpOwner", {
    author,
    user: { id: "ada", email: "ada@example.com", name: "Ada", password_hash: "x" },
    session: {
      id: "s1",
      user_id: "ada",
      token_hash: digest("token"),
      created_at: now,
      expires_at: now + 3 * SESSION_IDLE_MS,
      address: null,
      user_agent: null,
    },
  });
  await access.reload();
  const clock = manualClock(now + 60_000);
  const stored = async (at: number) => (await store.query("loadAccess", { now: at })).sessions;
  return { access, store, clock, now, stored };
}

test("the use of a session is written down, and only when there was one", async () => {
  const { access, store, clock, now, stored } = await open();
  const upkeep = startSessionUpkeep({ access, store, clock, logger: silentLogger });
  await upkeep.sweep();
  assert.equal((await stored(now))[0]?.last_seen_at, now);
  assert.equal(access.people.useSession("token")?.user.name, "Ada");
  await upkeep.sweep();
  assert.equal((await stored(now))[0]?.last_seen_at, now + 60_000);
  await upkeep.stop();
});

test("what could not be written is written the next time, at the latest by the stop", async () => {
  const { access, store, clock, now, stored } = await open();
  let broken = true;
  const breaking: typeof store.execute = (name, args) =>
    broken ? Promise.reject(new Error("the disk is full")) : store.execute(name, args);
  const upkeep = startSessionUpkeep({ access, store: { execute: breaking }, clock, logger: silentLogger });
  access.people.useSession("token");
  await assert.rejects(upkeep.sweep(), /disk/);
  broken = false;
  await upkeep.stop();
  assert.equal((await stored(now))[0]?.last_seen_at, now + 60_000);
});

test("sessions that have ended are removed", async () => {
  const { access, store, clock, now, stored } = await open();
  clock.advance(SESSION_IDLE_MS);
  const upkeep = startSessionUpkeep({ access, store, clock, logger: silentLogger });
  await upkeep.sweep();
  assert.deepEqual(await stored(now), []);
  await upkeep.stop();
});
