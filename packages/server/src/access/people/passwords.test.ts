import assert from "node:assert/strict";
import { test } from "node:test";
import { createPasswords, PASSWORD_COST, passwordProblem } from "./passwords.ts";

const CHEAP = { N: 2 ** 4, r: 8, p: 1 };
const ABOUT = ["ada.lovelace@example.com", "Ada Lovelace"];

test("a password belongs to its own hash and to no other", async () => {
  const passwords = createPasswords(CHEAP);
  const stored = await passwords.hash("an engine of 1842");
  assert.deepEqual(await passwords.verify("an engine of 1842", stored), { matches: true, outdated: false });
  for (const wrong of ["", "an engine of 1843", "an engine of 1842 ", stored]) {
    assert.equal((await passwords.verify(wrong, stored)).matches, false, wrong);
  }
  assert.notEqual(await passwords.hash("an engine of 1842"), stored, "every hash has its own salt");
  assert.ok(!stored.includes("engine"));
});

test("the cost in use is at least what is asked of scrypt", () => {
  const { N, r, p } = PASSWORD_COST;
  assert.ok(N * r * 128 >= 32 * 1024 * 1024 && N * r * p >= 2 ** 15 * 8 * 3);
});

test("a hash of another cost still matches, and is said to be outdated", async () => {
  const stored = await createPasswords(CHEAP).hash("an engine of 1842");
  const raised = createPasswords({ ...CHEAP, N: 2 ** 5 });
  assert.deepEqual(await raised.verify("an engine of 1842", stored), { matches: true, outdated: true });
  assert.deepEqual(await raised.verify("something else", stored), { matches: false, outdated: false });
});

test("without a stored hash nothing matches", async () => {
  assert.deepEqual(await createPasswords(CHEAP).verify("an engine of 1842", null), {
    matches: false,
    outdated: false,
  });
});

test("an unknown account costs the same work as a known one", async () => {
  const passwords = createPasswords(CHEAP);
  // Seen by its place in the queue, of which there are 22: what did no work would take none.
  const results = await Promise.allSettled(Array.from({ length: 25 }, () => passwords.verify("x", null)));
  assert.equal(results.filter(({ status }) => status === "rejected").length, 3);
});

test("a damaged hash is an error, never a match", async () => {
  for (const stored of ["", "scrypt$16$8$1$$", "scrypt$16$8$1$c2FsdA$YWJj", "plain$16$8$1$a$b"]) {
    await assert.rejects(createPasswords(CHEAP).verify("", stored), stored);
  }
});

test("a password typed on another keyboard is the same", async () => {
  const passwords = createPasswords(CHEAP);
  const stored = await passwords.hash("caf\u00e9 au lait \uff11");
  assert.equal((await passwords.verify("cafe\u0301 au lait 1", stored)).matches, true);
});

test("what waits is bounded, and what was refused keeps no place", async () => {
  const passwords = createPasswords(CHEAP);
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => passwords.hash("an engine")));
  const refused = results.filter((result) => result.status === "rejected");
  assert.equal(refused.length, 50 - 22);
  assert.equal(refused[0]!.reason.code, "unavailable");
  const again = await Promise.all(Array.from({ length: 22 }, () => passwords.hash("an engine")));
  assert.equal(new Set(again).size, 22);
});

test("passwords that are short, endless, well-known or the person's own name are refused", () => {
  for (const bad of [
    "",
    "123456789",
    "ten chars".repeat(30),
    "1234567890",
    "PassWord123",
    "aaaaaaaaaaaa",
    "abababababab",
    "ada.lovelace@example.com",
    "ADA.LOVELACE",
    "ada lovelace",
    "AdaLovelace",
  ]) {
    assert.notEqual(passwordProblem(bad, ABOUT), null, bad);
  }
  for (const good of [
    "an engine of 1842",
    "ada lovelace 1842",
    "ein Käfig voller",
    "密码学是一门有趣的科学",
    "🦄🐙🦊🐢 then 1842",
  ]) {
    assert.equal(passwordProblem(good, ABOUT), null, good);
  }
});
