/** What a webhook shows to those who may only look. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startWithOwner } from "../people-service.ts";

test("a viewer sees neither the address of a webhook nor the credentials of its requests", async () => {
  const { ada, join } = await startWithOwner();
  const bob = await join("viewer", "Bob");
  const created = await ada.send("POST", "/v1/webhooks", { name: "Orders" });
  const { id, url } = created.body.data;
  const headers = {
    "content-type": "application/json",
    authorization: "Basic producer:password",
    cookie: "session=producer",
    "x-gitlab-token": "shared secret",
    "x-github-event": "push",
  };
  const answer = await fetch(url, { method: "POST", headers, body: "{}" });
  assert.equal(answer.status, 200);

  const requests = `/v1/webhooks/${id}/requests`;
  const [request] = (await ada.get(requests)).body.data;
  const seenBy = async (person: typeof ada) =>
    (await person.get(`/v1/webhooks/requests/${request.id}`)).body.data.headers;
  const full = await seenBy(ada);
  assert.equal(full.Authorization, "Basic producer:password");
  assert.equal(full["X-Gitlab-Token"], "shared secret");
  const shown = await seenBy(bob);
  for (const name of ["Authorization", "Cookie", "X-Gitlab-Token"])
    assert.equal(shown[name], "[hidden]", name);
  assert.equal(shown["X-Github-Event"], "push");

  assert.equal((await ada.get(`/v1/webhooks/${id}`)).body.data.url, url);
  assert.equal((await bob.get(`/v1/webhooks/${id}`)).body.data.url, null);
  assert.equal((await bob.get("/v1/webhooks")).body.data[0].url, null);
});
