import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionRecord, UserRecord } from "../../store/access-records.ts";
import { digest } from "../keys/secrets.ts";
import { createPeople, normalEmail, SESSION_IDLE_MS } from "./people.ts";

const T0 = 1_700_000_000_000;
const user = (id: string, role: UserRecord["role"] = "viewer"): UserRecord => ({
  id,
  email: `${id}@example.com`,
  name: id,
  role,
  password_hash: "",
  created_at: T0,
  last_seen_at: null,
});
const session = (id: string, userId: string, fields: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  user_id: userId,
  token_hash: digest(`token-${id}`),
  created_at: T0,
  last_seen_at: T0,
  expires_at: T0 + 3 * SESSION_IDLE_MS,
  address: null,
  user_agent: null,
  ...fields,
});

test("a token leads to its session's user until the session is idle, over, or removed", () => {
  let now = T0;
  const people = createPeople(() => now);
  people.load([user("ada")], [session("s1", "ada"), session("s2", "ada", { expires_at: T0 + 5 })]);
  assert.equal(people.useSession("token-s1")?.user.id, "ada");
  assert.equal(people.useSession("token-s2")?.session.id, "s2");
  for (const wrong of ["", "token-s3", digest("token-s1"), "x".repeat(10_000)]) {
    assert.equal(people.useSession(wrong), undefined, wrong);
  }
  now = T0 + 5;
  assert.equal(people.useSession("token-s2"), undefined);
  now = T0 + SESSION_IDLE_MS - 1;
  assert.equal(people.useSession("token-s1")?.user.id, "ada");
  now += SESSION_IDLE_MS - 1;
  assert.equal(people.useSession("token-s1")?.user.id, "ada", "use prolongs it");
  assert.equal(people.livingSession("s1")?.session.id, "s1");
  now += SESSION_IDLE_MS;
  assert.equal(people.useSession("token-s1"), undefined);
  assert.deepEqual(people.sessionsOf("ada"), []);
  assert.equal(people.livingSession("s1"), undefined);
  const fresh = session("s4", "ada", { last_seen_at: now });
  people.load([user("ada")], [fresh]);
  assert.equal(people.useSession("token-s4")?.user.id, "ada");
  people.load([user("ada")], []);
  assert.equal(people.useSession("token-s4"), undefined);
});

test("a session whose user is gone opens nothing", () => {
  const people = createPeople(() => T0);
  people.load([], [session("s1", "ada")]);
  assert.equal(people.useSession("token-s1"), undefined);
});

test("what was used is told once, survives a reload, and can be taken back", () => {
  let now = T0;
  const people = createPeople(() => now);
  const users = [user("ada"), user("bob")];
  const sessions = [session("s1", "ada"), session("s2", "ada"), session("s3", "bob")];
  people.load(users, sessions);
  now = T0 + 7;
  people.useSession("token-s1");
  people.useSession("token-s2");
  people.load(users, sessions);
  assert.equal(people.byId("ada")?.last_seen_at, T0 + 7, "the store does not know it yet");
  assert.equal(people.sessionsOf("ada")[0]?.last_seen_at, T0 + 7);
  assert.deepEqual(people.takeUsed(), { sessions: ["s1", "s2"], users: ["ada"] });
  assert.deepEqual(people.takeUsed(), { sessions: [], users: [] });
  people.keepUsed(["s2", "gone"]);
  assert.deepEqual(people.takeUsed(), { sessions: ["s2"], users: ["ada"] });
});

test("people are found by their e-mail address in any case", () => {
  const people = createPeople(() => T0);
  people.load([user("ada"), user("bob", "owner")], []);
  assert.equal(people.byEmail(" ADA@example.com ")?.id, "ada");
  assert.equal(people.byEmail("eve@example.com"), undefined);
  assert.equal(people.hasOwner(), true);
  people.load([user("ada", "admin")], []);
  assert.equal(people.hasOwner(), false);
  assert.equal(normalEmail("Cafe\u0301@Example.com"), "caf\u00e9@example.com");
});

test("a login is taken over without reading everybody, with what it ended and the better hash", () => {
  const people = createPeople(() => T0 + 10);
  people.load([user("ada")], [session("s1", "ada"), session("s2", "ada")]);
  const { last_seen_at: _, ...stored } = session("s3", "ada", { created_at: T0 + 10 });
  const login = { session: stored, ended: ["s1"], rehashed: "better" };
  people.add(login);
  assert.equal(people.useSession("token-s1"), undefined);
  assert.equal(people.livingSession("s1"), undefined);
  assert.equal(people.useSession("token-s3")?.user.id, "ada");
  assert.deepEqual(
    [people.byEmail("ada@example.com")?.password_hash, people.byId("ada")?.last_seen_at],
    ["better", T0 + 10],
  );
  // Made again, it takes nothing back.
  people.add(login);
  assert.deepEqual(people.takeUsed().sessions, ["s3"]);
  people.add({
    ...login,
    session: { ...stored, id: "s4", user_id: "nobody", token_hash: digest("token-s4") },
  });
  assert.equal(people.useSession("token-s4"), undefined);
});
