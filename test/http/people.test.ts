/** People in production, over HTTP alone: from the set-up link to an owner, invitations and roles. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PASSWORD_COST } from "../../packages/server/src/access/people/passwords.ts";
import { loadConfig } from "../../packages/server/src/config.ts";
import { silentLogger } from "../../packages/server/src/observe/log.ts";
import { startServer } from "../../packages/server/src/server.ts";
import { type Browser, openBrowser } from "../browser.ts";
import { clock, HOUR, PASSWORD, refused, startPeople, startWithOwner, tokenOf } from "../people-service.ts";

const TOKEN = "people-test-token";

test("from the set-up link to an owner, an invitation, a member and a viewer", async () => {
  const server = await startPeople([], PASSWORD_COST);
  const { setupUrl } = server;
  assert.match(setupUrl!, new RegExp(`^${server.url}/setup#[\\w-]{43}$`));
  const ada = openBrowser(server.url);
  assert.deepEqual((await ada.get("/v1/setup")).body, { data: { needed: true } });
  refused(await ada.get("/v1/me"), 401, "unauthorized");
  const account = { name: "Ada", email: "Ada@Example.com", password: PASSWORD };
  refused(await ada.send("POST", "/v1/setup", { ...account, token: "guessed" }), 401, "unauthorized");
  const setUp = await ada.send("POST", "/v1/setup", { ...account, token: tokenOf(setupUrl!) });
  assert.equal(setUp.status, 200);
  assert.deepEqual((await ada.get("/v1/setup")).body, { data: { needed: false } });
  const { body } = await ada.get("/v1/me");
  assert.equal(body.data.user.id, setUp.body.data.user.id);
  assert.deepEqual(
    [body.data.kind, body.data.user.email, body.data.user.role, body.data.permissions],
    ["user", "ada@example.com", "owner", ["read", "send", "manage", "administer"]],
  );
  const again = { ...account, email: "eve@example.com", token: tokenOf(setupUrl!) };
  refused(await openBrowser(server.url).send("POST", "/v1/setup", again), 409, "conflict");

  const invitation = await ada.send("POST", "/v1/invitations", {
    role: "member",
    email: "Bob@example.com",
    expires_in: "2h",
  });
  assert.match(invitation.body.data.url, new RegExp(`^${server.url}/invitation#svc_inv_[\\w-]{43}$`));
  const [listed] = (await ada.get("/v1/invitations")).body.data;
  assert.deepEqual([listed.email, listed.role, listed.created_by], ["bob@example.com", "member", "Ada"]);
  assert.equal(Date.parse(listed.expires_at) - Date.parse(listed.created_at), 2 * HOUR);
  assert.ok(!("url" in listed));
  const bob = openBrowser(server.url);
  const token = tokenOf(invitation.body.data.url);
  const bobsAccount = { token, name: "Bob", password: PASSWORD };
  const other = { ...bobsAccount, email: "eve@example.com" };
  refused(await bob.send("POST", "/v1/invitations/accept", other), 400, "invalid_request");
  const accepted = await bob.send("POST", "/v1/invitations/accept", bobsAccount);
  assert.deepEqual([accepted.status, accepted.body.data.user.role], [200, "member"]);
  assert.equal((await bob.get("/v1/apps")).status, 200);
  refused(await bob.get("/v1/users"), 403, "forbidden");
  refused(
    await openBrowser(server.url).send("POST", "/v1/invitations/accept", bobsAccount),
    401,
    "unauthorized",
  );

  const link = (await ada.send("POST", "/v1/invitations", { role: "viewer" })).body.data.url;
  const eve = openBrowser(server.url);
  const viewer = { token: tokenOf(link), name: "Eve", email: "eve@example.com", password: PASSWORD };
  assert.equal((await eve.send("POST", "/v1/invitations/accept", viewer)).body.data.user.role, "viewer");
  assert.equal((await eve.get("/v1/events")).status, 200);
  refused(await eve.send("POST", "/v1/functions/x/invoke", {}), 403, "forbidden");
  refused(await eve.send("POST", "/v1/apps", { url: "http://127.0.0.1:1" }), 403, "forbidden");
});

test("of two set-ups at once exactly one makes an owner", async () => {
  const server = await startPeople();
  const token = tokenOf(server.setupUrl!);
  const answers = await Promise.all(
    ["ada", "bob"].map((name) =>
      openBrowser(server.url).send("POST", "/v1/setup", {
        token,
        name,
        email: `${name}@example.com`,
        password: PASSWORD,
      }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test("of two who accept one invitation at once exactly one gets in", async () => {
  const { ada, browser } = await startWithOwner();
  const { url } = (await ada.send("POST", "/v1/invitations", { role: "viewer" })).body.data;
  const answers = await Promise.all(
    ["bob", "eve", "joe"].map((name) =>
      browser().send("POST", "/v1/invitations/accept", {
        token: tokenOf(url),
        name,
        email: `${name}@example.com`,
        password: PASSWORD,
      }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
  assert.equal((await ada.get("/v1/users")).body.data.length, 2);
});

test("the set-up link is good for a day, and there is none where a token of the configuration opens the way", async () => {
  const server = await startPeople();
  const account = { name: "Ada", email: "ada@example.com", password: PASSWORD };
  clock.leap(24 * HOUR);
  const late = await openBrowser(server.url).send("POST", "/v1/setup", {
    ...account,
    token: tokenOf(server.setupUrl!),
  });
  refused(late, 401, "unauthorized");

  const withToken = await startPeople(["--api-token", TOKEN]);
  assert.equal(withToken.setupUrl, null);
  const bearer = { authorization: `Bearer ${TOKEN}` };
  const program = openBrowser(withToken.url, bearer);
  const me = (await program.get("/v1/me")).body.data;
  assert.deepEqual([me.kind, me.user, me.environment], ["token", null, null]);
  assert.equal(me.permissions.length, 4);
  const { url } = (await program.send("POST", "/v1/invitations", { role: "owner" })).body.data;
  const ada = openBrowser(withToken.url);
  const accepted = await ada.send("POST", "/v1/invitations/accept", { ...account, token: tokenOf(url) });
  assert.equal(accepted.body.data.user.role, "owner");
});

test("invitations end when their time is over, when they are revoked, and with the rights of who made them", async () => {
  const { ada, join, browser } = await startWithOwner();
  const bob = await join("admin", "Bob");
  const eve = await join("admin", "Eve");
  const invite = async (by: Browser) =>
    (await by.send("POST", "/v1/invitations", { role: "viewer" })).body.data;
  const accept = (url: string) =>
    browser().send("POST", "/v1/invitations/accept", {
      token: tokenOf(url),
      name: "Joe",
      email: "joe@example.com",
      password: PASSWORD,
    });
  const [late, revoked, demoted, gone] = [
    await invite(ada),
    await invite(ada),
    await invite(bob),
    await invite(eve),
  ];
  const resetByBob = await bob.send("POST", `/v1/users/${eve.id}/password-reset`);
  assert.equal((await ada.send("DELETE", `/v1/invitations/${revoked.id}`)).status, 204);
  refused(await ada.send("DELETE", `/v1/invitations/${revoked.id}`), 404, "not_found");
  assert.equal((await ada.send("PATCH", `/v1/users/${bob.id}`, { role: "member" })).status, 200);
  assert.equal((await ada.send("DELETE", `/v1/users/${eve.id}`)).status, 204);
  refused(await eve.get("/v1/me"), 401, "unauthorized");
  for (const { url } of [revoked, demoted, gone]) refused(await accept(url), 401, "unauthorized", url);
  const reset = { token: tokenOf(resetByBob.body.data.url), password: PASSWORD };
  refused(await browser().send("POST", "/v1/password-reset", reset), 401, "unauthorized");
  assert.equal((await ada.get("/v1/invitations")).body.data.length, 1);
  clock.leap(7 * 24 * HOUR);
  refused(await accept(late.url), 401, "unauthorized");
  assert.deepEqual((await ada.get("/v1/invitations")).body.data, []);
  for (const expires_in of ["1s", "31d", "forever", 5]) {
    const answer = await ada.send("POST", "/v1/invitations", { role: "viewer", expires_in });
    refused(answer, 400, "invalid_request", String(expires_in));
  }
});

test("who may do what to whom", async () => {
  const { ada, adaId, join } = await startWithOwner();
  const bob = await join("admin", "Bob");
  const other = await join("admin", "Other");
  const joe = await join("member", "Joe");
  const eve = await join("viewer", "Eve");
  for (const person of [joe, eve]) {
    for (const [method, path, body] of [
      ["GET", "/v1/users"],
      ["GET", "/v1/invitations"],
      ["GET", "/v1/audit-log"],
      ["GET", `/v1/users/${eve.id}/sessions`],
      ["POST", "/v1/invitations", { role: "viewer" }],
      ["PATCH", `/v1/users/${person.id}`, { role: "admin" }],
      ["PATCH", `/v1/users/${person.id}`, { name: "x" }],
      ["DELETE", `/v1/users/${bob.id}`],
      ["DELETE", `/v1/users/${bob.id}/sessions`],
      ["POST", `/v1/users/${bob.id}/password-reset`],
    ] as const) {
      const answer = method === "GET" ? await person.get(path) : await person.send(method, path, body);
      refused(answer, 403, "forbidden", `${method} ${path}`);
    }
    assert.equal((await person.send("PATCH", "/v1/me", { name: "Me" })).body.data.name, "Me");
  }
  for (const [method, path, body] of [
    ["POST", "/v1/invitations", { role: "owner" }],
    ["PATCH", `/v1/users/${bob.id}`, { role: "owner" }],
    ["PATCH", `/v1/users/${eve.id}`, { role: "owner" }],
    ["PATCH", `/v1/users/${adaId}`, { role: "viewer" }],
    ["PATCH", `/v1/users/${adaId}`, { name: "x" }],
    ["DELETE", `/v1/users/${adaId}`],
    ["DELETE", `/v1/users/${adaId}/sessions`],
    ["POST", `/v1/users/${adaId}/password-reset`],
  ] as const) {
    refused(await bob.send(method, path, body), 403, "forbidden", `an admin: ${method} ${path}`);
  }
  assert.equal((await bob.send("PATCH", `/v1/users/${eve.id}`, { role: "member" })).body.data.role, "member");
  assert.deepEqual((await eve.get("/v1/me")).body.data.permissions, ["read", "send", "manage"]);
  assert.equal((await bob.send("PATCH", `/v1/users/${other.id}`, { role: "viewer" })).status, 200);
  refused(await other.get("/v1/users"), 403, "forbidden", "a role holds at once");
  assert.equal((await bob.send("DELETE", `/v1/users/${eve.id}`)).status, 204);

  refused(await ada.send("PATCH", `/v1/users/${adaId}`, { role: "admin" }), 409, "conflict");
  refused(await ada.send("DELETE", `/v1/users/${adaId}`), 409, "conflict");
  assert.equal((await ada.send("PATCH", `/v1/users/${bob.id}`, { role: "owner" })).status, 200);
  // Both owners leave at once: one has to stay.
  const leaving = await Promise.all([
    ada.send("DELETE", `/v1/users/${adaId}`),
    bob.send("DELETE", `/v1/users/${bob.id}`),
  ]);
  assert.deepEqual(leaving.map(({ status }) => status).sort(), [204, 409]);
});

test("a token brings nobody in who may do more than it may", async () => {
  const { server, ada, join } = await startWithOwner();
  const bob = await join("admin", "Bob");
  const eve = await join("viewer", "Eve");
  const made = await ada.send("POST", "/v1/api-tokens", { name: "keys only", scopes: ["manage"] });
  const token = openBrowser(server.url, { authorization: `Bearer ${made.body.data.secret}` });
  for (const [method, path, body] of [
    ["POST", "/v1/invitations", { role: "admin" }],
    ["POST", "/v1/invitations", { role: "viewer" }],
    ["PATCH", `/v1/users/${eve.id}`, { role: "member" }],
    ["POST", `/v1/users/${bob.id}/password-reset`],
    ["POST", `/v1/users/${eve.id}/password-reset`],
  ] as const) {
    refused(await token.send(method, path, body), 403, "forbidden", `${method} ${path}`);
  }
  assert.equal((await token.send("PATCH", `/v1/users/${eve.id}`, { name: "E", role: "viewer" })).status, 200);
  assert.equal((await token.send("DELETE", `/v1/users/${eve.id}`)).status, 204);
});

test("a link for a member's password is worth nothing once the member is an owner", async () => {
  const { ada, join, browser } = await startWithOwner();
  const bob = await join("admin", "Bob");
  const joe = await join("member", "Joe");
  const { url } = (await bob.send("POST", `/v1/users/${joe.id}/password-reset`)).body.data;
  assert.equal((await ada.send("PATCH", `/v1/users/${joe.id}`, { role: "owner" })).status, 200);
  const answer = await browser().send("POST", "/v1/password-reset", {
    token: tokenOf(url),
    password: PASSWORD,
  });
  refused(answer, 401, "unauthorized");
});

test("development has no people: who you are is answered, all else is not there", async (t) => {
  const args = ["--in-memory", "--no-discovery", "--no-poll", "--host", "127.0.0.1", "--port", "0"];
  const server = await startServer(loadConfig("dev", args, {}), { logger: silentLogger });
  t.after(() => server.close());
  assert.equal(server.setupUrl, null);
  const anybody = openBrowser(server.url);
  const { body } = await anybody.get("/v1/me");
  assert.deepEqual([body.data.kind, body.data.user, body.data.permissions.length], ["development", null, 4]);
  for (const path of ["/v1/setup", "/v1/users", "/v1/invitations", "/v1/me/sessions"]) {
    refused(await anybody.get(path), 404, "not_found", path);
  }
  for (const path of ["/v1/session", "/v1/setup", "/v1/password-reset", "/v1/invitations/accept"]) {
    refused(await anybody.send("POST", path, {}), 404, "not_found", path);
  }
});
