import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openSqlite } from "../sqlite/open.ts";
import type { Author } from "./record-change.ts";

const store = await openSqlite({ dataDir: null, now: () => 1 });
after(() => store.close());

let entries = 0;
const author = (): Author => ({
  auditId: `a${entries++}`,
  now: 1,
  kind: "user",
  id: "u0",
  name: "Ada",
  address: null,
});

test("no link resets the password of somebody whose role is another one by now", async () => {
  const user = { id: "joe", email: "joe@example.com", name: "Joe", password_hash: "x" };
  const session = { id: "s", user_id: "joe", token_hash: "t", created_at: 1, expires_at: 9 };
  await store.execute("setUpOwner", {
    author: author(),
    user,
    session: { ...session, address: null, user_agent: null },
  });
  const link = { id: "l", token_hash: "h", email: user.email, expires_at: 9, user_id: "joe" };
  // What an administrator was allowed to do to a member must not be done to the owner the member has become.
  const asMember = { author: author(), invitation: { ...link, role: "member" as const } };
  assert.equal(await store.execute("createInvitation", asMember), "changed");
  assert.equal(await store.query("findInvitation", { tokenHash: "h", now: 1 }), null);
  const asOwner = { author: author(), invitation: { ...link, role: "owner" as const } };
  assert.equal(await store.execute("createInvitation", asOwner), "created");
});
