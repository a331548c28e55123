/** People in production, over HTTP alone: from the set-up link to roles, sessions and the audit log. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { systemClock } from "../../packages/server/src/clock.ts";
import { loadConfig } from "../../packages/server/src/config.ts";
import { silentLogger } from "../../packages/server/src/observe/log.ts";
import { type RunningServer, startServer } from "../../packages/server/src/server.ts";
import { type Answer, type Browser, type Json, openBrowser } from "../browser.ts";

const PASSWORD = "an engine of 1842";
const TOKEN = "people-test-token";
const HOUR = 3_600_000;

/** Time moves on by itself, and in leaps when a test says so. */
let leap = 0;
const clock = { ...systemClock, now: () => Date.now() + leap };
const running: RunningServer[] = [];
after(async () => {
  for (const server of running) await server.close();
});

async function start(flags: string[] = []): Promise<RunningServer> {
  const args = ["--in-memory", "--host", "127.0.0.1", "--port", "0", ...flags];
  const server = await startServer(loadConfig("start", args, {}), { logger: silentLogger, clock });
  running.push(server);
  return server;
}

const tokenOf = (url: string) => url.slice(url.indexOf("#") + 1);
const refused = (answer: Answer, status: number, code: string, why = "") => {
  assert.deepEqual([answer.status, answer.body.code], [status, code], `${why} ${answer.body.error}`);
};

/** A service with an owner, Ada, and what it takes to bring in others. */
async function startWithOwner(flags: string[] = [], always: Record<string, string> = {}) {
  const server = await start(flags);
  const browser = () => openBrowser(server.url, always);
  const ada = browser();
  const setUp = await ada.send("POST", "/v1/setup", {
    token: tokenOf(server.setupUrl!),
    name: "Ada",
    email: "ada@example.com",
    password: PASSWORD,
  });
  assert.equal(setUp.status, 200, setUp.body.error);
  const join = async (role: string, name: string, by: Browser = ada) => {
    const invitation = await by.send("POST", "/v1/invitations", { role });
    assert.equal(invitation.status, 200, invitation.body.error);
    const person = browser();
    const accepted = await person.send("POST", "/v1/invitations/accept", {
      token: tokenOf(invitation.body.data.url),
      name,
      email: `${name.toLowerCase()}@example.com`,
      password: PASSWORD,
    });
    assert.equal(accepted.status, 200, accepted.body.error);
    return Object.assign(person, { id: accepted.body.data.user.id as string });
  };
  const logIn = async (name: string, password = PASSWORD) => {
    const person = browser();
    const email = `${name}@example.com`;
    return { person, answer: await person.send("POST", "/v1/session", { email, password }) };
  };
  return { server, browser, ada, adaId: setUp.body.data.user.id as string, join, logIn };
}

test("from the set-up link to an owner, an invitation, a member and a viewer", async () => {
  const server = await start();
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
  assert.deepEqual(body, setUp.body);
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
  const server = await start();
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
  const server = await start();
  const account = { name: "Ada", email: "ada@example.com", password: PASSWORD };
  leap += 24 * HOUR;
  const late = await openBrowser(server.url).send("POST", "/v1/setup", {
    ...account,
    token: tokenOf(server.setupUrl!),
  });
  refused(late, 401, "unauthorized");

  const withToken = await start(["--api-token", TOKEN]);
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

describe("sessions", () => {
  let service: Awaited<ReturnType<typeof startWithOwner>>;
  before(async () => {
    service = await startWithOwner();
  });

  test("the cookie is out of reach for scripts and other sites; under TLS it is bound to the host", async () => {
    const { logIn, server } = service;
    const plain = (await logIn("ada")).answer.headers.getSetCookie();
    assert.equal(plain.length, 1);
    assert.match(
      plain[0]!,
      /^svc-session=svc_ses_[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
    );
    assert.ok(server.setupUrl !== null);

    const tls = await startWithOwner(["--trust-proxy"], {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "svc.example.com",
      origin: "https://svc.example.com",
    });
    const { person, answer } = await tls.logIn("ada");
    assert.match(
      answer.headers.getSetCookie()[0]!,
      /^__Host-svc-session=svc_ses_[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure$/,
    );
    assert.equal((await person.get("/v1/me")).status, 200);
    const invited = await person.send("POST", "/v1/invitations", { role: "viewer" });
    assert.match(invited.body.data.url, /^https:\/\/svc\.example\.com\/invitation#/);
    // A cookie that another host of the domain could have set counts for nothing under TLS.
    const planted = openBrowser(tls.server.url, { "x-forwarded-proto": "https" });
    planted.cookies.set("svc-session", person.cookies.get("__Host-svc-session")!);
    refused(await planted.get("/v1/me"), 401, "unauthorized");
  });

  test("without --trust-proxy the headers of a proxy change nothing", async () => {
    const person = openBrowser(service.server.url, {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "evil.example.com",
    });
    const body = { email: "ada@example.com", password: PASSWORD };
    const answer = await person.send("POST", "/v1/session", body);
    assert.match(answer.headers.getSetCookie()[0]!, /^svc-session=/);
    const invited = await person.send("POST", "/v1/invitations", { role: "viewer" });
    assert.ok(invited.body.data.url.startsWith(`${service.server.url}/`));
    refused(
      await person.send("POST", "/v1/session", body, { origin: "https://evil.example.com" }),
      403,
      "forbidden",
    );
  });

  test("nothing that changes anything is taken from another site's page", async () => {
    const { server, ada, browser } = service;
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site", origin: server.url },
      { origin: "https://evil.example.com" },
      { origin: "null" },
      { origin: server.url.replace(/:\d+$/, "") },
      { origin: `${server.url}.evil.example.com` },
      { origin: "" },
    ];
    const logIn = { email: "ada@example.com", password: PASSWORD };
    for (const headers of foreign) {
      const why = JSON.stringify(headers);
      refused(await ada.send("PATCH", "/v1/me", { name: "Eve" }, headers), 403, "forbidden", why);
      refused(await ada.send("DELETE", "/v1/session", undefined, headers), 403, "forbidden", why);
      refused(await browser().send("POST", "/v1/session", logIn, headers), 403, "forbidden", why);
      const nothing = { token: "x", name: "x", email: "a@b.c", password: "x" };
      refused(await browser().send("POST", "/v1/setup", nothing, headers), 403, "forbidden", why);
      refused(
        await browser().send("POST", "/v1/invitations/accept", nothing, headers),
        403,
        "forbidden",
        why,
      );
      const reset = { token: "x", password: "x" };
      refused(await browser().send("POST", "/v1/password-reset", reset, headers), 403, "forbidden", why);
      assert.equal((await ada.get("/v1/me", headers)).body.data.name, "Ada");
    }
    const cookie = [...ada.cookies].map((pair) => pair.join("=")).join("; ");
    const silent = await fetch(`${server.url}/v1/session`, { method: "DELETE", headers: { cookie } });
    assert.equal(silent.status, 403, "a request that says nothing about where it comes from");
    const sameOrigin = { "sec-fetch-site": "same-origin", origin: "" };
    assert.equal((await ada.send("PATCH", "/v1/me", { name: "Ada" }, sameOrigin)).status, 200);
  });

  test("a body that a form could have sent is refused, and a token needs no origin", async () => {
    const { server, ada } = service;
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]) {
      const answer = await ada.send("PATCH", "/v1/me", { name: "Eve" }, { "content-type": type });
      refused(answer, 400, "invalid_request", type);
    }
    const program = await startWithOwner();
    assert.equal(program.server.setupUrl === null, false);
    const withToken = await start(["--api-token", TOKEN]);
    const response = await fetch(`${withToken.url}/v1/invitations`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}` },
      body: '{"role":"viewer"}',
    });
    assert.equal(response.status, 200);
    assert.ok(server.url !== withToken.url);
  });

  test("a token wins over a cookie, also a wrong one", async () => {
    refused(await service.ada.get("/v1/me", { authorization: "Bearer nobody" }), 401, "unauthorized");
  });

  test("a session that is ended, by whomever, opens nothing from that moment", async () => {
    const { ada, join, logIn } = service;
    const bob = await join("member", "Bob");
    const second = (await logIn("bob")).person;
    const third = (await logIn("bob")).person;
    const sessions = (await bob.get("/v1/me/sessions")).body.data;
    assert.equal(sessions.length, 3);
    assert.deepEqual(
      sessions.map(({ current }: Json) => current),
      [true, false, false],
    );
    assert.ok(sessions.every(({ address }: Json) => address === "127.0.0.1"));

    const thirdId = (await third.get("/v1/me/sessions")).body.data.find(({ current }: Json) => current).id;
    assert.equal((await bob.send("DELETE", `/v1/me/sessions/${thirdId}`)).status, 204);
    refused(await third.get("/v1/me"), 401, "unauthorized");
    refused(await bob.send("DELETE", `/v1/me/sessions/${thirdId}`), 404, "not_found");
    const adas = (await ada.get("/v1/me/sessions")).body.data[0].id;
    refused(await bob.send("DELETE", `/v1/me/sessions/${adas}`), 404, "not_found", "somebody else's");

    const stolen = new Map(second.cookies);
    assert.equal((await second.send("DELETE", "/v1/session")).status, 204);
    assert.equal(second.cookies.size, 0);
    const thief = service.browser();
    for (const [name, value] of stolen) thief.cookies.set(name, value);
    refused(await thief.get("/v1/me"), 401, "unauthorized");

    assert.equal((await ada.get(`/v1/users/${bob.id}/sessions`)).body.data.length, 1);
    assert.equal((await ada.send("DELETE", `/v1/users/${bob.id}/sessions`)).status, 204);
    refused(await bob.get("/v1/me"), 401, "unauthorized");
  });

  test("a new password ends every other session, and needs the old one", async () => {
    const { join, logIn } = service;
    const joe = await join("viewer", "Joe");
    const other = (await logIn("joe")).person;
    const password = "a difference engine";
    refused(await joe.send("PATCH", "/v1/me", { password }), 400, "invalid_request");
    refused(await joe.send("PATCH", "/v1/me", { password, current_password: "wrong" }), 403, "forbidden");
    const weak = { password: "joe@example.com", current_password: PASSWORD };
    refused(await joe.send("PATCH", "/v1/me", weak), 400, "invalid_request");
    assert.equal((await other.get("/v1/me")).status, 200);
    const changed = await joe.send("PATCH", "/v1/me", {
      name: "Joseph",
      password,
      current_password: PASSWORD,
    });
    assert.deepEqual([changed.status, changed.body.data.name], [200, "Joseph"]);
    refused(await other.get("/v1/me"), 401, "unauthorized");
    assert.equal((await joe.get("/v1/me")).status, 200);
    refused((await logIn("joe")).answer, 401, "unauthorized");
    assert.equal((await logIn("joe", password)).answer.status, 200);
  });

  test("an administrator's link sets a new password once and ends every session", async () => {
    const { ada, join, logIn, browser } = service;
    const kim = await join("viewer", "Kim");
    const reset = async () => (await ada.send("POST", `/v1/users/${kim.id}/password-reset`)).body.data;
    const first = tokenOf((await reset()).url);
    const { url, expires_at } = await reset();
    assert.match(url, /\/password-reset#svc_rst_[\w-]{43}$/);
    assert.ok(Date.parse(expires_at) - clock.now() <= 24 * HOUR);
    const password = "a difference engine";
    const use = (token: string, more = {}) =>
      browser().send("POST", "/v1/password-reset", { token, password, ...more });
    refused(await use(first), 401, "unauthorized", "a newer link ends the older one");
    refused(await use(tokenOf(url), { password: "short" }), 400, "invalid_request");
    assert.equal((await kim.get("/v1/me")).status, 200);
    const invitation = { name: "x", email: "x@example.com", password };
    refused(
      await browser().send("POST", "/v1/invitations/accept", { ...invitation, token: tokenOf(url) }),
      401,
      "unauthorized",
      "it is no invitation",
    );
    assert.equal((await use(tokenOf(url))).status, 204);
    refused(await kim.get("/v1/me"), 401, "unauthorized");
    refused(await use(tokenOf(url)), 401, "unauthorized", "used");
    assert.equal((await logIn("kim", password)).answer.status, 200);
  });
});

test("a session lives 30 days after its last use, and 90 days at most", async () => {
  const { ada } = await startWithOwner();
  const DAY = 24 * HOUR;
  for (const day of [29, 58, 87]) {
    leap += 29 * DAY;
    assert.equal((await ada.get("/v1/me")).status, 200, `day ${day}`);
  }
  leap += 3 * DAY;
  refused(await ada.get("/v1/me"), 401, "unauthorized", "day 90");

  const idle = await startWithOwner();
  leap += 30 * DAY;
  refused(await idle.ada.get("/v1/me"), 401, "unauthorized");
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
  leap += 7 * 24 * HOUR;
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
  leap += 15 * 60_000;
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
  // The bound per address would answer before the input is looked at.
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

test("the audit log tells who did what to whom, and never a secret", async () => {
  const { server, ada, join, logIn, browser } = await startWithOwner();
  const secrets = [PASSWORD, "wrong password", "a difference engine", tokenOf(server.setupUrl!)];
  const bob = await join("member", "Bob");
  const wrong = await logIn("bob", "wrong password");
  refused(wrong.answer, 401, "unauthorized");
  const { person } = await logIn("bob");
  secrets.push(...person.cookies.values(), ...ada.cookies.values(), ...bob.cookies.values());
  await person.send("DELETE", "/v1/session");
  await ada.send("PATCH", `/v1/users/${bob.id}`, { role: "admin", name: "Robert" });
  const { url } = (await ada.send("POST", `/v1/users/${bob.id}/password-reset`)).body.data;
  const invitation = (await ada.send("POST", "/v1/invitations", { role: "viewer" })).body.data;
  secrets.push(tokenOf(url), tokenOf(invitation.url));
  await ada.send("DELETE", `/v1/invitations/${invitation.id}`);
  const password = "a difference engine";
  await browser().send("POST", "/v1/password-reset", { token: tokenOf(url), password });
  await ada.send("PATCH", "/v1/me", { password, current_password: PASSWORD });
  await ada.send("DELETE", `/v1/users/${bob.id}`);

  const all: Json[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await ada.get(`/v1/audit-log?limit=4${cursor === "" ? "" : `&cursor=${cursor}`}`);
    all.push(...body.data);
    if (!body.page.has_more) break;
    cursor = body.page.cursor;
  }
  assert.deepEqual(
    all.map(({ action }) => action),
    [
      "user.removed",
      "user.password_changed",
      "user.password_changed",
      "invitation.revoked",
      "invitation.created",
      "password_reset.created",
      "user.updated",
      "session.ended",
      "session.created",
      "user.created",
      "invitation.created",
      "user.created",
    ],
  );
  const text = JSON.stringify(all);
  for (const secret of secrets)
    assert.ok(!text.includes(secret), `${secret.slice(0, 12)} is in the audit log`);
  const updated = all.find(({ action }) => action === "user.updated");
  assert.deepEqual(updated.before, { name: "Bob", role: "member" });
  assert.deepEqual(updated.after, { name: "Robert", role: "admin" });
  assert.deepEqual(
    [updated.actor.name, updated.target.id, updated.target.name],
    ["Ada", bob.id, "bob@example.com"],
  );
  assert.equal(updated.address, "127.0.0.1");

  const count = async (query: string) => (await ada.get(`/v1/audit-log?${query}`)).body.data.length;
  assert.equal(await count("action=user.*"), 6);
  assert.equal(await count("action=user.updated"), 1);
  assert.equal(await count(`target=${bob.id}`), 7);
  assert.equal(await count(`target=${bob.id}&actor=Ada&action=user.*`), 2);
  assert.equal(await count(`actor=${bob.id}`), 4);
  assert.equal(await count(`before=${encodeURIComponent(all.at(-1).at)}`), 0);
  assert.equal(await count(`after=${encodeURIComponent(all[0].at)}&action=user.removed`), 1);
});

test("development has no people: who you are is answered, all else is not there", async () => {
  const args = ["--in-memory", "--no-discovery", "--no-poll", "--host", "127.0.0.1", "--port", "0"];
  const server = await startServer(loadConfig("dev", args, {}), { logger: silentLogger });
  running.push(server);
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
