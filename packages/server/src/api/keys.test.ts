import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hashSigningKey, splitSigningKey } from "@svc/protocol";
import { type ManualClock, manualClock } from "../../test/manual-clock.ts";
import {
  type Json,
  type ProductionService,
  productionService,
  ROOT_EVENT_KEY,
  ROOT_TOKEN,
} from "../../test/production-service.ts";

const HOUR = 3_600_000;
const SIGNING = `signkey-prod-${"ab".repeat(32)}`;

let service: ProductionService;
let clock: ManualClock;
before(async () => {
  clock = manualClock(1_800_000_000_000);
  service = await productionService({ clock, flags: ["--signing-key", SIGNING] });
  for (const [name, type] of [
    ["staging", "named"],
    ["feature/a", "branch"],
    ["feature/b", "branch"],
  ]) {
    await service.call("POST", "/v1/environments", { name, type });
  }
});
after(() => service.close());

const create = async (path: string, body: unknown, token = ROOT_TOKEN): Promise<Json> => {
  const answer = await service.call("POST", path, body, { token });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.data;
};
const list = async (path: string): Promise<Json[]> => (await service.call("GET", path)).body.data;
const sync = async (secret: string, headers: Record<string, string> = {}) =>
  (await service.call("POST", "/fn/register", {}, { token: await hashSigningKey(secret), headers })).status;

describe("event keys", () => {
  test("a new key is shown once and leads to its environment at once", async () => {
    const { secret, ...shown } = await create("/v1/event-keys?env=staging", { name: "web" });
    assert.match(secret, /^svc_evt_[\w-]{43}$/);
    assert.deepEqual(
      [shown.name, shown.environment, shown.source, shown.expires_at],
      ["web", "staging", "stored", null],
    );
    const [id] = (await service.send(secret)).body.ids;
    assert.equal((await service.call("GET", `/v1/events/${id}?env=staging`)).status, 200);
    const listed = await list("/v1/event-keys?env=staging");
    assert.deepEqual(listed, [shown]);
    assert.ok(!JSON.stringify(listed).includes(secret.slice(8, 40)));
  });

  test("keys of the configuration come first and cannot be changed", async () => {
    await create("/v1/event-keys", { name: "b" });
    const [first, second] = await list("/v1/event-keys");
    assert.deepEqual([first.id, first.source], ["configuration-event-1", "configuration"]);
    assert.equal(second.source, "stored");
    assert.ok(!JSON.stringify(first).includes(ROOT_EVENT_KEY));
    for (const [method, path] of [
      ["PATCH", ""],
      ["POST", "/rotate"],
      ["DELETE", ""],
    ] as const) {
      const answer = await service.call(method, `/v1/event-keys/configuration-event-1${path}`, {});
      assert.equal(answer.body.code, "conflict", path);
      assert.match(answer.body.error, /SVC_EVENT_KEY/);
    }
  });

  test("a revoked key is refused from the next request on, and leaves the list", async () => {
    const { id, secret } = await create("/v1/event-keys", { name: "gone" });
    assert.equal((await service.send(secret)).status, 200);
    assert.equal((await service.call("DELETE", `/v1/event-keys/${id}`)).status, 204);
    assert.equal((await service.send(secret)).status, 401);
    assert.ok(!(await list("/v1/event-keys?limit=200")).some((key) => key.id === id));
    assert.equal((await service.call("DELETE", `/v1/event-keys/${id}`)).status, 404);
  });

  test("after a rotation both keys are taken until the grace time ends", async () => {
    const lists = { event_filter: { allow: ["shop/*"], deny: [] } };
    const old = await create("/v1/event-keys", { name: "rotated", ...lists });
    const fresh = await create(`/v1/event-keys/${old.id}/rotate`, { grace: "2h" });
    assert.deepEqual([fresh.name, fresh.event_filter], ["rotated", lists.event_filter]);
    assert.notEqual(fresh.secret, old.secret);
    const event = { name: "shop/a", data: {} };
    clock.advance(2 * HOUR - 1);
    assert.equal((await service.send(old.secret, event)).status, 200);
    const [listed] = (await list("/v1/event-keys?limit=200")).filter(({ id }) => id === old.id);
    assert.equal(Date.parse(listed.expires_at), clock.now() + 1);
    clock.advance(1);
    assert.equal((await service.send(old.secret, event)).status, 401);
    assert.equal((await service.send(fresh.secret, event)).status, 200);
    assert.ok(!(await list("/v1/event-keys?limit=200")).some(({ id }) => id === old.id));
    assert.equal((await service.call("POST", `/v1/event-keys/${old.id}/rotate`, {})).status, 404);
  });

  test("without grace the old key ends at once, and grace has its bounds", async () => {
    const { id, secret } = await create("/v1/event-keys", { name: "quick" });
    for (const grace of ["31d", "soon", "-1s", 5]) {
      const answer = await service.call("POST", `/v1/event-keys/${id}/rotate`, { grace });
      assert.equal(answer.body.field, "grace");
    }
    await create(`/v1/event-keys/${id}/rotate`, { grace: "0s" });
    assert.equal((await service.send(secret)).status, 401);
  });

  test("lists of names refuse the whole batch and say which event", async () => {
    const { id, secret } = await create("/v1/event-keys", {
      name: "names",
      event_filter: { allow: ["shop/*"], deny: ["shop/debug"] },
    });
    const batch = ["shop/a", "shop/debug"].map((name) => ({ name, data: {} }));
    const { status, body } = await service.send(secret, batch);
    assert.deepEqual([status, body.code, body.index, body.field], [403, "forbidden", 1, "name"]);
    assert.match(body.error, /shop\/debug/);
    assert.equal((await service.call("GET", "/v1/events?name=shop/debug")).body.data.length, 0);
    await service.call("PATCH", `/v1/event-keys/${id}`, { event_filter: null });
    assert.equal((await service.send(secret, batch)).status, 200);
  });

  test("lists of addresses refuse before the body is looked at", async () => {
    const { id, secret } = await create("/v1/event-keys", {
      name: "addresses",
      ip_filter: { allow: ["10.0.0.0/8"] },
    });
    const refused = await service.send(secret, "no json");
    assert.deepEqual([refused.status, refused.body.code], [403, "forbidden"]);
    assert.match(refused.body.error, /127\.0\.0\.1/);
    // The header counts only behind a proxy of our own.
    assert.equal((await service.send(secret, "no json", { "x-forwarded-for": "10.1.2.3" })).status, 403);
    await service.call("PATCH", `/v1/event-keys/${id}`, { ip_filter: { allow: ["127.0.0.0/8"] } });
    assert.equal((await service.send(secret)).status, 200);
  });

  test("a rate limit says when to come back, and counts for its key alone", async () => {
    const rate_limit = { requests: 2, per: "minute" };
    const limited = await create("/v1/event-keys", { name: "limited", rate_limit });
    const other = await create("/v1/event-keys", { name: "other", rate_limit });
    assert.deepEqual(limited.rate_limit, rate_limit);
    assert.equal((await service.send(limited.secret)).status, 200);
    assert.equal((await service.send(limited.secret)).status, 200);
    const refused = await service.send(limited.secret, "no json");
    assert.deepEqual([refused.status, refused.body.code], [429, "rate_limited"]);
    assert.equal(refused.headers.get("retry-after"), String(refused.body.retry_after));
    assert.equal((await service.send(other.secret)).status, 200);
    clock.advance(refused.body.retry_after * 1_000);
    assert.equal((await service.send(limited.secret)).status, 200);
  });

  test("what cannot be a list or a limit is refused with its field", async () => {
    for (const [body, field] of [
      [{}, "name"],
      [{ name: " " }, "name"],
      [{ name: "a\u0000" }, "name"],
      [{ name: "a", rate_limit: { requests: 0, per: "minute" } }, "rate_limit.requests"],
      [{ name: "a", ip_filter: { allow: ["10.0.0.0/33"] } }, "ip_filter.allow.0"],
      [{ name: "a", event_filter: { deny: ["a*b"] } }, "event_filter.deny.0"],
      [{ name: "a", secret: "mine" }, "secret"],
    ] as const) {
      const answer = await service.call("POST", "/v1/event-keys", body);
      assert.deepEqual([answer.body.code, answer.body.field], ["invalid_request", field]);
    }
  });

  test("all branches share the keys of their parent, which name a branch with each request", async () => {
    const { secret, environment } = await create("/v1/event-keys?env=feature/a", { name: "branches" });
    assert.equal(environment, "branches");
    assert.equal((await list("/v1/event-keys?env=feature/b"))[0].name, "branches");
    assert.equal((await service.send(secret)).body.code, "environment_required");
    assert.equal((await service.send(secret, undefined, { "x-svc-env": "feature/b" })).status, 200);
  });
});

describe("signing keys", () => {
  test("a key is accepted at once and signs once it is activated", async () => {
    const [configured] = await list("/v1/signing-keys");
    assert.deepEqual([configured.id, configured.signing], ["configuration-signing-1", true]);
    const fresh = await create("/v1/signing-keys", { name: "next" });
    assert.match(fresh.secret, /^signkey-prod-[0-9a-f]{64}$/);
    assert.equal(fresh.signing, false);
    // 400: the registration is none, but its sender is known.
    assert.equal(await sync(fresh.secret), 400);
    const activated = await service.call("POST", `/v1/signing-keys/${fresh.id}/activate`);
    assert.equal(activated.body.data.signing, true);
    assert.deepEqual(
      (await list("/v1/signing-keys")).map(({ name, signing }) => [name, signing]),
      [
        ["default", false],
        ["next", true],
      ],
    );
    assert.equal(await sync(SIGNING), 400);
    assert.equal((await service.call("DELETE", `/v1/signing-keys/${fresh.id}`)).status, 204);
    assert.equal(await sync(fresh.secret), 401);
    assert.equal((await list("/v1/signing-keys"))[0].signing, true);
  });

  test("the first key of an environment signs at once, and is no key of another one", async () => {
    const first = await create("/v1/signing-keys?env=staging", { name: "first" });
    assert.equal(first.signing, true);
    assert.match(first.secret, /^signkey-staging-[0-9a-f]{64}$/);
    assert.equal((await create("/v1/signing-keys?env=staging", { name: "second" })).signing, false);
    assert.equal(await sync(first.secret), 400);
    assert.equal(await sync(first.secret, { "x-svc-env": "production" }), 403);
    assert.equal(await sync(SIGNING, { "x-inngest-env": "staging" }), 403);
    assert.equal((await service.call("DELETE", `/v1/signing-keys/${first.id}`)).status, 404);
  });

  test("two keys activated within a millisecond: the last one signs", async () => {
    const a = await create("/v1/signing-keys?env=staging", { name: "a" });
    const b = await create("/v1/signing-keys?env=staging", { name: "b" });
    for (const { id } of [b, a]) {
      const answer = await service.call("POST", `/v1/signing-keys/${id}/activate?env=staging`);
      assert.equal(answer.body.data.signing, true);
    }
    const signing = (await list("/v1/signing-keys?env=staging")).filter((key) => key.signing);
    assert.deepEqual(
      signing.map(({ name }) => name),
      ["a"],
    );
  });

  test("rotating the key that signs makes the new one sign, and keeps the old one for the grace time", async () => {
    const old = await create("/v1/signing-keys?env=feature/a", { name: "branches" });
    assert.match(old.secret, /^signkey-branch-[0-9a-f]{64}$/);
    const fresh = await create(`/v1/signing-keys/${old.id}/rotate?env=feature/b`, {});
    assert.equal(fresh.signing, true);
    const branch = { "x-svc-env": "feature/a" };
    assert.equal(await sync(old.secret, branch), 400);
    const late = await service.call("POST", `/v1/signing-keys/${old.id}/activate?env=feature/a`);
    assert.equal(late.body.code, "conflict");
    clock.advance(24 * HOUR);
    assert.equal(await sync(old.secret, branch), 401);
    assert.equal(await sync(fresh.secret, branch), 400);
  });

  test("rotating a key that does not sign does not make the new one sign", async () => {
    const { id } = await create("/v1/signing-keys", { name: "spare" });
    assert.equal((await create(`/v1/signing-keys/${id}/rotate`, {})).signing, false);
  });

  test("clients can split every key, whatever its environment is called", async () => {
    for (const name of ["branch", "_", "a-b.c/d", "prod"]) {
      await service.call("POST", "/v1/environments", { name, type: "named" });
      const { secret } = await create(`/v1/signing-keys?env=${encodeURIComponent(name)}`, { name: "k" });
      // What inngest's clients take for the prefix: the service must agree, or hashes differ.
      assert.equal(secret.match(/^signkey-[\w]+-/)?.[0], splitSigningKey(secret)?.prefix);
      assert.ok(!/^signkey-(branch|prod)-/.test(secret), secret);
    }
  });
});

describe("API tokens", () => {
  test("a token may do what its scopes say, and no more", async () => {
    const { secret, scopes } = await create("/v1/api-tokens", {
      name: "ci",
      scopes: ["send", "read", "read"],
    });
    assert.deepEqual(scopes, ["read", "send"]);
    const as = { token: secret };
    assert.equal((await service.call("GET", "/v1/events", undefined, as)).status, 200);
    assert.equal((await service.call("POST", "/v1/events/x/replay", undefined, as)).status, 404);
    assert.equal((await service.call("POST", "/v1/apps", { url: "http://x.test" }, as)).status, 403);
    assert.equal((await service.call("GET", "/v1/event-keys", undefined, as)).status, 403);
  });

  test("a token of one environment stays there", async () => {
    const scopes = ["read", "send", "manage"];
    const { secret, environment } = await create("/v1/api-tokens", {
      name: "staging",
      scopes,
      environment: "staging",
    });
    assert.equal(environment, "staging");
    const as = { token: secret };
    const { body } = await service.call("GET", "/v1/event-keys", undefined, as);
    assert.ok(body.data.every((key: Json) => key.environment === "staging"));
    for (const path of ["/v1/events?env=production", "/v1/events?env=feature/a", "/v1/api-tokens"]) {
      assert.equal((await service.call("GET", path, undefined, as)).status, 403, path);
    }
    const more = await service.call("POST", "/v1/api-tokens", { name: "x", scopes: ["read"] }, as);
    assert.equal(more.body.code, "forbidden");
  });

  test("a token of one branch does not administer the keys that all branches share", async () => {
    const token = { name: "b", scopes: ["read", "manage"], environment: "feature/a" };
    const { secret } = await create("/v1/api-tokens", token);
    for (const path of ["/v1/event-keys", "/v1/signing-keys"]) {
      const answer = await service.call("POST", path, { name: "x" }, { token: secret });
      assert.equal(answer.body.code, "forbidden", path);
    }
    const parent = await create("/v1/api-tokens", { ...token, environment: "branches" });
    const path = "/v1/event-keys?env=feature/b";
    assert.equal((await service.call("POST", path, { name: "x" }, { token: parent.secret })).status, 200);
  });

  test("nobody gives a token more than they have, by rotating one neither", async () => {
    const manager = await create("/v1/api-tokens", { name: "manager", scopes: ["manage"] });
    const full = await create("/v1/api-tokens", { name: "full", scopes: ["read", "send", "manage"] });
    const as = { token: manager.secret };
    const body = { name: "more", scopes: ["manage", "read"] };
    const refused = await service.call("POST", "/v1/api-tokens", body, as);
    assert.deepEqual([refused.body.code, refused.body.field], ["forbidden", "scopes"]);
    const rotated = await service.call("POST", `/v1/api-tokens/${full.id}/rotate`, {}, as);
    assert.equal(rotated.body.code, "forbidden");
    assert.equal((await service.call("GET", "/v1/events", undefined, { token: full.secret })).status, 200);
    const same = await service.call("POST", "/v1/api-tokens", { ...body, scopes: ["manage"] }, as);
    assert.equal(same.status, 200);
  });

  test("a token ends when it was said to, and its successor lives as long", async () => {
    const body = { name: "short", scopes: ["read"], expires_in: "48h" };
    const { id, secret } = await create("/v1/api-tokens", body);
    clock.advance(47 * HOUR);
    const fresh = await create(`/v1/api-tokens/${id}/rotate`, { grace: "24h" });
    assert.equal(Date.parse(fresh.expires_at), clock.now() + 48 * HOUR);
    const status = async (token: string) =>
      (await service.call("GET", "/v1/runs", undefined, { token })).status;
    assert.equal(await status(secret), 200);
    clock.advance(HOUR);
    assert.deepEqual([await status(secret), await status(fresh.secret)], [401, 200]);
  });

  test("a revoked token is refused from the next request on", async () => {
    const { id, secret } = await create("/v1/api-tokens", { name: "r", scopes: ["read"] });
    assert.equal((await service.call("DELETE", `/v1/api-tokens/${id}`)).status, 204);
    assert.equal((await service.call("GET", "/v1/runs", undefined, { token: secret })).status, 401);
  });

  test("an environment that is not there is none for a token", async () => {
    const body = { name: "x", scopes: ["read"], environment: "nowhere" };
    const answer = await service.call("POST", "/v1/api-tokens", body);
    assert.deepEqual([answer.body.code, answer.body.field], ["environment_not_found", "environment"]);
  });
});

test("keys that come and go disturb no request under way", async () => {
  const steady = await create("/v1/event-keys?env=staging", { name: "steady" });
  let going = true;
  const churn = async () => {
    while (going) {
      const { id, secret } = await create("/v1/event-keys?env=staging", { name: "churn" });
      assert.equal((await service.send(secret)).status, 200);
      await service.call("DELETE", `/v1/event-keys/${id}?env=staging`);
      assert.equal((await service.send(secret)).status, 401);
    }
  };
  const churning = Promise.all([churn(), churn(), churn()]);
  for (let i = 0; i < 100; i++) assert.equal((await service.send(steady.secret)).status, 200);
  going = false;
  await churning;
});

test("behind a proxy of our own, lists of addresses are about the client", async () => {
  const proxied = await productionService({ flags: ["--trust-proxy"] });
  try {
    const ip_filter = { allow: ["2001:db8::/32", "203.0.113.7"] };
    const { body } = await proxied.call("POST", "/v1/event-keys", { name: "x", ip_filter });
    const status = async (address: string) =>
      (await proxied.send(body.data.secret, undefined, { "x-forwarded-for": address })).status;
    assert.equal(await status("2001:db8::1"), 200);
    assert.equal(await status("10.0.0.1, 203.0.113.7"), 200);
    // What stands before the proxy's own entry is the client's to invent.
    assert.equal(await status("203.0.113.7, 10.0.0.1"), 403);
    assert.equal(await status("unknown"), 403);
  } finally {
    await proxied.close();
  }
});

test("svc dev lists no keys and creates none", async () => {
  const dev = await productionService({ mode: "dev" });
  try {
    for (const path of ["/v1/event-keys", "/v1/signing-keys", "/v1/api-tokens"]) {
      assert.deepEqual((await dev.call("GET", path)).body.data, []);
      const body = { name: "x", ...(path === "/v1/api-tokens" && { scopes: ["read"] }) };
      const answer = await dev.call("POST", path, body);
      assert.equal(answer.body.code, "conflict");
      assert.match(answer.body.error, /takes any key/);
    }
  } finally {
    await dev.close();
  }
});
