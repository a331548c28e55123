/** Sessions over HTTP alone: cookies, pages of other sites, and how sessions end. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { type Json, openBrowser } from "../browser.ts";
import { clock, HOUR, PASSWORD, refused, startPeople, startWithOwner, tokenOf } from "../people-service.ts";

const TOKEN = "people-test-token";

describe("sessions", () => {
  let service: Awaited<ReturnType<typeof startWithOwner>>;
  before(async () => {
    service = await startWithOwner();
  });

  test("the cookie is out of reach for scripts and other sites; under TLS it is bound to the host", async () => {
    const { logIn } = service;
    const plain = (await logIn("ada")).answer.headers.getSetCookie();
    assert.equal(plain.length, 1);
    assert.match(
      plain[0]!,
      /^svc-session=svc_ses_[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
    );

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
    const { ada } = service;
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]) {
      const answer = await ada.send("PATCH", "/v1/me", { name: "Eve" }, { "content-type": type });
      refused(answer, 400, "invalid_request", type);
    }
    const withToken = await startPeople(["--api-token", TOKEN]);
    const response = await fetch(`${withToken.url}/v1/invitations`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}` },
      body: '{"role":"viewer"}',
    });
    assert.equal(response.status, 200);
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

  test("a new password ends every other session, also when the name that came with it cannot be changed", async () => {
    const { ada, join, logIn } = service;
    const rob = await join("viewer", "Rob");
    let password = PASSWORD;
    // Another role, in the time that hashing takes, is what the change of the name does not fit any more.
    for (const [round, role] of ["member", "viewer", "member", "viewer", "member"].entries()) {
      const { person: elsewhere } = await logIn("rob", password);
      const change = { name: `Rob ${round}`, password: `${PASSWORD} ${round}`, current_password: password };
      await Promise.all([
        rob.send("PATCH", "/v1/me", change),
        ada.send("PATCH", `/v1/users/${rob.id}`, { role }),
      ]);
      password = change.password;
      refused(await elsewhere.get("/v1/me"), 401, "unauthorized", `round ${round}`);
      assert.equal((await rob.get("/v1/me")).status, 200);
    }
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
    clock.leap(29 * DAY);
    assert.equal((await ada.get("/v1/me")).status, 200, `day ${day}`);
  }
  clock.leap(3 * DAY);
  refused(await ada.get("/v1/me"), 401, "unauthorized", "day 90");

  const idle = await startWithOwner();
  clock.leap(30 * DAY);
  refused(await idle.ada.get("/v1/me"), 401, "unauthorized");
});

test("the twenty-first session of somebody ends the first one, from that moment", async () => {
  const { ada, logIn } = await startWithOwner();
  for (let i = 0; i < 19; i++) assert.equal((await logIn("ada")).answer.status, 200);
  assert.equal((await ada.get("/v1/me")).status, 200);
  const { person } = await logIn("ada");
  assert.equal((await person.get("/v1/me")).status, 200);
  refused(await ada.get("/v1/me"), 401, "unauthorized");
});

test("a stream that is open ends with its session", async () => {
  const { server, ada, join } = await startWithOwner();
  const bob = await join("viewer", "Bob");
  const cookie = [...bob.cookies].map((pair) => pair.join("=")).join("; ");
  const stream = await fetch(`${server.url}/v1/events/stream`, { headers: { cookie } });
  const text = stream.text();
  assert.equal(stream.status, 200);
  assert.equal((await ada.send("PATCH", `/v1/users/${bob.id}`, { role: "member" })).status, 200);
  const other = (await join("viewer", "Joe")).id;
  assert.equal((await ada.send("DELETE", `/v1/users/${other}`)).status, 204);
  assert.equal((await ada.send("DELETE", `/v1/users/${bob.id}/sessions`)).status, 204);
  assert.equal(
    await text,
    ": connected\n\n: ended, because the session or token it was opened with may read no longer\n\n",
  );
});
