/** The audit log over HTTP alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../browser.ts";
import { PASSWORD, refused, startWithOwner, tokenOf } from "../people-service.ts";

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
