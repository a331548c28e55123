import assert from "node:assert/strict";
import { test } from "node:test";
import { createUlidGenerator } from "@svc/protocol";
import { manualClock } from "../../test/manual-clock.ts";
import { createAccess } from "../access/access.ts";
import { createSealer, digest } from "../access/keys/secrets.ts";
import { SESSION_IDLE_MS } from "../access/people/people.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import { endSession } from "./session-list.ts";

test("a session that only memory still has is ended there, too", async (t) => {
  const clock = manualClock(1_700_000_000_000);
  const store = await openSqlite({ dataDir: null, now: clock.now });
  t.after(() => store.close());
  const config = { mode: "start" as const, eventKeys: [], signingKeys: [], apiTokens: [] };
  const nextId = createUlidGenerator();
  const access = await createAccess({ config, store, sealer: createSealer("test"), clock, nextId });
  const now = clock.now();
  const who = { kind: "user", id: "ada", name: "Ada", address: null };
  const author = () => ({ auditId: nextId(now), now, ...who });
  const user = { id: "ada", email: "ada@example.com", name: "Ada", password_hash: "x" };
  const times = { created_at: now, expires_at: now + 3 * SESSION_IDLE_MS };
  const session = {
    id: "s1",
    user_id: "ada",
    token_hash: digest("token"),
    address: null,
    user_agent: null,
    ...times,
  };
  await store.execute("setUpOwner", { author: author(), user, session });
  await access.reload();
  // The clock was a month ahead for a while: the upkeep took the session for one that nobody uses any more.
  const later = now + SESSION_IDLE_MS + 1;
  await store.execute("expireAccess", { now: later, idleSince: later - SESSION_IDLE_MS, linksBefore: 0 });
  assert.ok(access.people.useSession("token"));
  await assert.rejects(endSession({ store, access }, author(), "ada", "s1"), /no such session/);
  assert.equal(access.people.useSession("token"), undefined);
});
