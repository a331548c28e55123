/** Logging in over HTTP alone: guessing, hashes, and input that is odd on purpose. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { ScryptCost } from "../../packages/server/src/access/people/passwords.ts";
import { loadConfig } from "../../packages/server/src/config.ts";
import { silentLogger } from "../../packages/server/src/observe/log.ts";
import { startServer } from "../../packages/server/src/server.ts";
import { openSqlite } from "../../packages/server/src/store/sqlite/open.ts";
import { openBrowser } from "../browser.ts";
import { clock, FAST, PASSWORD, refused, startWithOwner, tokenOf } from "../people-service.ts";

test("guessing is bounded per account and per address, and everybody else gets on", async () => {
  const { logIn, join } = await startWithOwner(["--trust-proxy"], { "x-forwarded-for": "203.0.113.1" });
  await join("viewer", "Bob");
  const answers = await Promise.all(Array.from({ length: 12 }, () => logIn("ada", "wrong")));
  const statuses = answers.map(({ answer }) => answer.status).sort();
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), 429, 429]);
  const { answer } = await logIn("ada");
  refused(answer, 429, "rate_limited", "also with the right password");
  assert.ok(answer.body.retry_after > 0 && answer.body.retry_after <= 900);
  assert.equal(answer.headers.get("retry-after"), String(answer.body.retry_after));
  refused((await logIn("nobody", "wrong")).answer, 401, "unauthorized");
  assert.equal((await logIn("bob")).answer.status, 200);
  clock.leap(15 * 60_000);
  assert.equal((await logIn("ada")).answer.status, 200);
});

test("links are guessed no more often than passwords", async () => {
  const { browser } = await startWithOwner();
  const guess = (token: string) =>
    browser().send("POST", "/v1/password-reset", { token, password: PASSWORD });
  const answers = await Promise.all(Array.from({ length: 55 }, (_, i) => guess(`guess-${i}`)));
  assert.equal(answers.filter(({ status }) => status === 401).length, 50);
  assert.equal(answers.filter(({ status }) => status === 429).length, 5);
});

test("a hash of an older cost is made anew at the next login, and the session outlives a restart", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "svc-people-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const args = ["--data-dir", dir, "--host", "127.0.0.1", "--port", "0"];
  const run = (passwordCost: ScryptCost) =>
    startServer(loadConfig("start", args, {}), { logger: silentLogger, clock, passwordCost });
  const storedHash = async () => {
    const store = await openSqlite({ dataDir: dir, now: clock.now });
    const { users } = await store.query("loadAccess", { now: clock.now() });
    await store.close();
    return users[0]!.password_hash;
  };
  const first = await run(FAST);
  const ada = openBrowser(first.url);
  const account = { name: "Ada", email: "ada@example.com", password: PASSWORD };
  await ada.send("POST", "/v1/setup", { ...account, token: tokenOf(first.setupUrl!) });
  await first.close();
  assert.match(await storedHash(), /^scrypt\$1024\$8\$1\$/);
  const second = await run({ ...FAST, N: 2 ** 11 });
  const later = openBrowser(second.url);
  for (const [name, value] of ada.cookies) later.cookies.set(name, value);
  assert.equal((await later.get("/v1/me")).status, 200);
  const logIn = { email: account.email, password: PASSWORD };
  const statusOf = async () => (await openBrowser(second.url).send("POST", "/v1/session", logIn)).status;
  // One of them is the first to make the hash anew; the password of the others fits it, too.
  const together = await Promise.all(Array.from({ length: 8 }, statusOf));
  assert.deepEqual(new Set(together), new Set([200]));
  // Against the new hash, which the service has not read anew.
  assert.equal(await statusOf(), 200);
  await second.close();
  assert.match(await storedHash(), /^scrypt\$2048\$8\$1\$/);
});

test("an unknown account is told like a wrong password", async () => {
  const { logIn } = await startWithOwner();
  const known = (await logIn("ada", "wrong")).answer;
  const unknown = (await logIn("nobody", "wrong")).answer;
  assert.deepEqual(known.body, unknown.body);
  assert.equal(known.status, 401);
});

test("no input is too odd to be answered", async () => {
  const { server, ada, adaId } = await startWithOwner();
  const odd: unknown[] = [
    null,
    true,
    0,
    1e308,
    [],
    ["a@b.c"],
    {},
    { $ne: null },
    "",
    " ",
    "\0",
    "a\0@b.c",
    "\ud800@example.com",
    "ünï@exämple.com",
    "a@b@c",
    "‮@example.com",
    "x".repeat(15_000),
    `${"x".repeat(250)}@example.com`,
    "__proto__",
    "'; DROP TABLE users; --",
  ];
  const fields: Record<string, string[]> = {
    "POST /v1/session": ["email", "password"],
    "POST /v1/setup": ["token", "name", "email", "password"],
    "POST /v1/invitations/accept": ["token", "name", "email", "password"],
    "POST /v1/password-reset": ["token", "password"],
    "POST /v1/invitations": ["role", "email", "expires_in"],
    "PATCH /v1/me": ["name", "password", "current_password"],
    [`PATCH /v1/users/${adaId}`]: ["name", "role"],
  };
  const fine: Record<string, unknown> = {
    token: "x",
    name: "Ada",
    email: "nobody@example.com",
    password: PASSWORD,
    role: "owner",
    expires_in: "1d",
    current_password: "wrong",
  };
  for (const [operation, names] of Object.entries(fields)) {
    const [method = "", path = ""] = operation.split(" ");
    for (const name of names) {
      for (const value of odd) {
        const body = Object.fromEntries(names.map((each) => [each, each === name ? value : fine[each]]));
        const answer = await ada.send(method, path, body);
        assert.ok(answer.status < 500, `${operation} ${name} ${JSON.stringify(value)?.slice(0, 40)}`);
      }
    }
    for (const body of [
      "",
      "null",
      "[]",
      '"x"',
      "{",
      `${"[".repeat(600)}${"]".repeat(600)}`,
      `"${"x".repeat(20_000)}"`,
    ]) {
      const answer = await ada.send(method, path, body);
      assert.ok(answer.status >= 400 && answer.status < 500, `${operation} ${body.slice(0, 20)}`);
    }
  }
  for (const path of [
    "/v1/users/%00",
    `/v1/users/${"x".repeat(4_000)}/sessions`,
    "/v1/audit-log?actor=%00",
    "/v1/audit-log?cursor=xx",
    "/v1/audit-log?limit=9999",
    "/v1/audit-log?after=never",
    "/v1/users?cursor=%22",
  ]) {
    const { status } = await ada.get(path);
    assert.ok(status >= 400 && status < 500, `${path}: ${status}`);
  }
  for (const cookie of [
    "svc-session",
    "svc-session=",
    `svc-session=${"x".repeat(8_000)}`,
    ";;;=",
    "svc-session=%00",
  ]) {
    const response = await fetch(`${server.url}/v1/me`, { headers: { cookie } });
    assert.equal(response.status, 401, cookie.slice(0, 30));
  }
  assert.equal((await ada.get("/v1/me")).body.data.user.role, "owner");
});
