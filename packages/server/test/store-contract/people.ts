/** What every engine of the store must do for people: who comes in, who goes, and what is remembered of it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CreateInvitationArgs } from "../../src/store/commands/create-invitation.ts";
import type { Author } from "../../src/store/commands/record-change.ts";
import type { AuditPage } from "../../src/store/queries/list-audit-log.ts";
import { DAY, engineUnderTest, type OpenStore, T0 } from "./engine-under-test.ts";

export function peopleContract(engineName: string, open: OpenStore) {
  describe(`people in the store on ${engineName}`, () => {
    const engine = engineUnderTest(open);
    const { nextId } = engine;

    const author = (fields: Partial<Author> = {}): Author => ({
      auditId: nextId(T0),
      now: T0,
      kind: "user",
      id: "ada",
      name: "Ada",
      address: "203.0.113.1",
      ...fields,
    });
    const newUser = (id: string) => ({
      id,
      email: `${id}@example.com`,
      name: id,
      password_hash: `hash-${id}`,
    });
    const session = (id: string, userId: string, createdAt = T0) => ({
      id,
      user_id: userId,
      token_hash: `token-${id}`,
      created_at: createdAt,
      expires_at: T0 + 90 * DAY,
      address: null,
      user_agent: null,
    });
    const setUp = (id = "ada") =>
      engine.store.execute("setUpOwner", {
        author: author({ id }),
        user: newUser(id),
        session: session(`first-${id}`, id),
      });
    const link = (id: string, fields: Partial<CreateInvitationArgs["invitation"]> = {}) => ({
      id,
      token_hash: `link-${id}`,
      email: null,
      role: "member" as const,
      expires_at: T0 + DAY,
      user_id: null,
      ...fields,
    });
    const invite = (id: string, fields: Partial<CreateInvitationArgs["invitation"]> = {}, by = author()) =>
      engine.store.execute("createInvitation", { author: by, invitation: link(id, fields) });
    const accept = (linkId: string, userId: string, now = T0) =>
      engine.store.execute("acceptInvitation", {
        author: author({ id: userId, now }),
        tokenHash: `link-${linkId}`,
        user: newUser(userId),
        session: session(`first-${userId}`, userId),
      });
    const join = async (id: string, role: "owner" | "admin" | "member") => {
      assert.equal(await invite(`for-${id}`, { role }), "created");
      assert.deepEqual(await accept(`for-${id}`, id), { role });
    };
    const stored = () => engine.store.query("loadAccess", { now: T0 });
    const sessionsOf = async (id: string) =>
      (await stored()).sessions.filter(({ user_id }) => user_id === id).map((each) => each.id);
    const actions = async () => {
      const all = { actor: null, action: null, target: null, after: null, before: null, cursor: null };
      const { entries } = await engine.store.query("listAuditLog", { ...all, limit: 200, maxBytes: 1e6 });
      return entries.map(({ action }) => action);
    };

    test("one owner is set up, and no second one, also at the same time", async () => {
      const made = await Promise.all([setUp("ada"), setUp("bob"), setUp("ada")]);
      assert.deepEqual(made, [true, false, false]);
      assert.equal(await setUp("eve"), false);
      const { users, sessions } = await stored();
      assert.deepEqual(
        users.map(({ id, role }) => [id, role]),
        [["ada", "owner"]],
      );
      assert.deepEqual(
        sessions.map(({ id }) => id),
        ["first-ada"],
      );
      assert.deepEqual(await actions(), ["user.created"]);
    });

    test("an invitation lets one person in, once, in time, while nobody revoked it", async () => {
      await setUp();
      for (const id of ["a", "b", "c"]) await invite(id);
      await invite("d", { email: "eve@example.com" });
      const both = await Promise.all([accept("a", "bob"), accept("a", "joe")]);
      assert.deepEqual(both, [{ role: "member" }, "gone"]);
      assert.equal(await accept("b", "joe", T0 + DAY), "gone");
      assert.equal(await engine.store.execute("revokeInvitation", { author: author(), id: "c" }), true);
      assert.equal(await engine.store.execute("revokeInvitation", { author: author(), id: "c" }), false);
      assert.equal(await accept("c", "joe"), "gone");
      assert.equal(await accept("d", "joe"), "gone", "it is for somebody else");
      assert.equal(await accept("b", "bob"), "email_taken");
      assert.equal(await invite("e", { email: "bob@example.com" }), "email_taken");
      const open = await engine.store.query("listInvitations", { now: T0 });
      assert.deepEqual(
        open.map(({ id }) => id),
        ["d", "b"],
      );
      assert.deepEqual(await sessionsOf("bob"), ["first-bob"]);
    });

    test("a login is stored only while the password is the one that was checked", async () => {
      await setUp();
      const logIn = (id: string, verified: string, rehashed: string | null = null) =>
        engine.store.execute("createSession", {
          author: author(),
          session: session(id, "ada"),
          verified,
          rehashed,
        });
      assert.deepEqual(await logIn("s1", "hash-ada", "better-hash"), []);
      assert.equal((await stored()).users[0]?.password_hash, "better-hash");
      assert.equal(await logIn("s2", "hash-ada"), null);
      assert.deepEqual(await sessionsOf("ada"), ["first-ada", "s1"]);
    });

    test("a user has 20 sessions at most; a new one ends the one not used for longest", async () => {
      await setUp();
      for (let i = 0; i < 20; i++) {
        const one = session(`s${i}`, "ada", T0 + 1 + i);
        const args = { author: author(), session: one, verified: "hash-ada", rehashed: null };
        const ended = i < 19 ? [] : ["first-ada"];
        assert.deepEqual(await engine.store.execute("createSession", args), ended);
      }
      const ids = await sessionsOf("ada");
      assert.equal(ids.length, 20);
      assert.ok(!ids.includes("first-ada"));
    });

    test("a new password ends the other sessions and the links that would make another one", async () => {
      await setUp();
      await join("bob", "member");
      const change = (verified: string, keepSession: string) =>
        engine.store.execute("changePassword", {
          author: author(),
          userId: "bob",
          verified,
          passwordHash: "new-hash",
          keepSession,
        });
      const second = {
        author: author(),
        session: session("s2", "bob"),
        verified: "hash-bob",
        rehashed: null,
      };
      await engine.store.execute("createSession", second);
      assert.equal(await invite("reset", { user_id: "bob" }), "created");
      assert.equal(await change("another-hash", "s2"), false);
      assert.equal(await change("hash-bob", "s2"), true);
      assert.deepEqual(await sessionsOf("bob"), ["s2"]);
      const tokenHash = "link-reset";
      assert.equal(await engine.store.query("findInvitation", { tokenHash, now: T0 }), null);
      const reset = { author: author(), tokenHash, userId: "bob", passwordHash: "x" };
      assert.equal(await engine.store.execute("resetPassword", reset), false);
    });

    test("a reset link works once, for its user, and the newest alone", async () => {
      await setUp();
      await join("bob", "member");
      await invite("r1", { user_id: "bob" });
      await invite("r2", { user_id: "bob" });
      assert.equal(await invite("r3", { user_id: "nobody" }), "gone");
      const reset = (id: string, userId: string) =>
        engine.store.execute("resetPassword", {
          author: author(),
          tokenHash: `link-${id}`,
          userId,
          passwordHash: "new",
        });
      assert.equal(await accept("r2", "joe"), "gone", "it makes no account");
      assert.deepEqual(
        [
          await reset("r1", "bob"),
          await reset("r2", "ada"),
          await reset("r2", "bob"),
          await reset("r2", "bob"),
        ],
        [false, false, true, false],
      );
      assert.deepEqual(await sessionsOf("bob"), []);
    });

    test("the last owner stays, also when two leave at once", async () => {
      await setUp();
      await join("bob", "owner");
      const leave = (id: string) =>
        engine.store.execute("removeUser", { author: author(), id, knownRole: "owner" });
      assert.deepEqual(await Promise.all([leave("ada"), leave("bob")]), ["removed", "last_owner"]);
      const demote = {
        author: author(),
        id: "bob",
        knownRole: "owner",
        name: "bob",
        role: "admin",
      } as const;
      assert.equal(await engine.store.execute("updateUser", demote), "last_owner");
      assert.deepEqual(await sessionsOf("ada"), []);
      assert.equal(await leave("ada"), "gone");
    });

    test("a change made on old knowledge is refused, and one that changes nothing leaves no trace", async () => {
      await setUp();
      await join("bob", "member");
      const update = (knownRole: "member" | "owner", role: "member" | "viewer", name = "bob") =>
        engine.store.execute("updateUser", { author: author(), id: "bob", knownRole, name, role });
      assert.equal(await update("owner", "viewer"), "changed");
      const before = await actions();
      assert.equal(await update("member", "member"), "updated");
      assert.deepEqual(await actions(), before);
      assert.equal(await update("member", "member", "Robert"), "updated");
      assert.equal((await actions())[0], "user.updated");
    });

    test("links end with the rights of who made them, and those for a person whose role changes", async () => {
      await setUp();
      await join("bob", "admin");
      await join("joe", "member");
      const bob = () => author({ id: "bob" });
      await invite("by-bob", {}, bob());
      await invite("for-joe-again", { user_id: "joe" }, bob());
      await invite("by-token", {}, author({ kind: "token", id: "bob" }));
      const role = (id: string, knownRole: "admin" | "member", to: "owner" | "viewer") =>
        engine.store.execute("updateUser", { author: author(), id, knownRole, name: id, role: to });
      const opens = async (id: string) =>
        (await engine.store.query("findInvitation", { tokenHash: `link-${id}`, now: T0 })) !== null;
      assert.deepEqual([await opens("by-bob"), await opens("for-joe-again")], [true, true]);
      await role("joe", "member", "owner");
      assert.deepEqual([await opens("by-bob"), await opens("for-joe-again")], [true, false]);
      await role("bob", "admin", "viewer");
      assert.deepEqual([await opens("by-bob"), await opens("by-token")], [false, true]);
    });

    test("ending sessions ends one or all, of that user alone", async () => {
      await setUp();
      await join("bob", "member");
      const end = (userId: string, sessionId: string | null) =>
        engine.store.execute("endSessions", { author: author(), userId, sessionId });
      assert.equal(await end("bob", "first-ada"), 0);
      assert.equal(await end("bob", null), 1);
      assert.equal(await end("bob", null), 0);
      assert.deepEqual(await sessionsOf("ada"), ["first-ada"]);
      assert.equal(await end("ada", "first-ada"), 1);
    });

    test("what lets nobody in any more is removed in the end", async () => {
      await setUp();
      await invite("a");
      await engine.store.execute("expireAccess", { now: T0, idleSince: T0 - 1, linksBefore: T0 });
      assert.equal((await sessionsOf("ada")).length, 1);
      await engine.store.execute("expireAccess", { now: T0, idleSince: T0, linksBefore: T0 + DAY });
      assert.deepEqual(await sessionsOf("ada"), []);
      assert.equal(await engine.store.query("findInvitation", { tokenHash: "link-a", now: T0 }), null);
    });

    test("the audit log is read newest first, by actor, action, target and time, page by page", async () => {
      await setUp();
      for (let i = 0; i < 30; i++) {
        const now = T0 + 1_000 + i;
        const by = author({ now, auditId: nextId(now), ...(i % 3 === 0 && { id: "bob", name: "Bob" }) });
        await engine.store.execute("recordRefusedLogins", { author: by, count: i, users: [], addresses: [] });
      }
      const read = async (fields: Record<string, unknown>) => {
        const all = { actor: null, action: null, target: null, after: null, before: null, cursor: null };
        const seen: string[] = [];
        for (let cursor: string | null = null; ; ) {
          const args = { ...all, ...fields, cursor, limit: 4, maxBytes: 1e6 };
          const page: AuditPage = await engine.store.query("listAuditLog", args);
          seen.push(...page.entries.map(({ id }) => id));
          if (page.next === null) break;
          cursor = page.next;
        }
        assert.deepEqual(seen, [...new Set(seen)].sort().reverse());
        return seen.length;
      };
      assert.equal(await read({}), 31);
      assert.equal(await read({ actor: "bob" }), 10);
      assert.equal(await read({ actor: "Bob" }), 10);
      assert.equal(await read({ action: "session.refused" }), 30);
      assert.equal(await read({ action: "session.*", actor: "bob" }), 10);
      assert.equal(await read({ action: "user.*" }), 1);
      assert.equal(await read({ target: "refused", actor: "bob" }), 10);
      assert.equal(await read({ target: "ada" }), 1);
      assert.equal(await read({ after: T0 + 1_010, before: T0 + 1_020 }), 10);
      assert.equal(await read({ actor: "nobody" }), 0);
    });
  });
}
