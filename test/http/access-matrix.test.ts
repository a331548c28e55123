/** Who may call what in production, for every address of the API's own description: a new one needs a rule here. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hashSigningKey } from "@svc/protocol";
import { API_TOKEN, startService, type TestService } from "../service.ts";

const EVENT_KEY = "access-matrix-event-key";
const SIGNING_KEY = `signkey-prod-${"cd".repeat(16)}`;
const SIGNING_HASH = await hashSigningKey(SIGNING_KEY);

interface Operation {
  security?: Record<string, unknown>[];
  "x-permission"?: string;
  "x-account"?: true;
}

/** What the description may leave open: everybody may read it, and what lets people in has its own secret. */
const OPEN = new Set([
  "GET /v1",
  "GET /v1/openapi.json",
  "POST /e/{event_key}",
  "POST /v1/session",
  "GET /v1/setup",
  "POST /v1/setup",
  "POST /v1/invitations/accept",
  "POST /v1/password-reset",
]);

/** The rule of every address. A new one fails until it stands here. */
const RULES: Record<string, readonly string[]> = {
  any: [
    "GET /v1/me",
    "PATCH /v1/me",
    "GET /v1/me/sessions",
    "DELETE /v1/me/sessions/{id}",
    "DELETE /v1/session",
  ],
  read: [
    "GET /v1/events",
    "GET /v1/events/{id}",
    "GET /v1/events/{id}/runs",
    "GET /v1/events/names",
    "GET /v1/events/stats",
    "GET /v1/events/stream",
    "GET /v1/runs",
    "GET /v1/runs/stats",
    "GET /v1/runs/{id}",
    "GET /v1/functions",
    "GET /v1/functions/stats",
    "GET /v1/functions/{id}",
    "GET /v1/functions/{id}/stats",
    "GET /v1/apps",
    "GET /v1/webhooks",
    "GET /v1/webhooks/starters",
    "GET /v1/webhooks/{id}",
    "GET /v1/webhooks/{id}/requests",
    "GET /v1/webhooks/{id}/versions",
    "GET /v1/webhooks/requests/{id}",
    "POST /v1/filters/test",
  ],
  "read account": ["GET /v1/environments", "GET /v1/environments/{id}"],
  send: [
    "POST /v1/events",
    "POST /v1/events/{id}/replay",
    "POST /v1/runs/{id}/cancel",
    "POST /v1/runs/{id}/rerun",
    "POST /v1/functions/{id}/invoke",
    "POST /v1/webhooks/{id}/replay",
    "POST /v1/webhooks/requests/{id}/replay",
    "POST /v1/webhooks/requests/{id}/route",
  ],
  manage: [
    "POST /v1/functions/{id}/pause",
    "POST /v1/functions/{id}/resume",
    "POST /v1/apps",
    "DELETE /v1/apps/{id}",
    "POST /v1/webhooks",
    "POST /v1/webhooks/test",
    "PATCH /v1/webhooks/{id}",
    "DELETE /v1/webhooks/{id}",
    "POST /v1/webhooks/{id}/rotate",
    "POST /v1/webhooks/{id}/try",
    "POST /v1/webhooks/{id}/versions/{version}/restore",
  ],
  "manage account": [
    "POST /v1/environments",
    "PATCH /v1/environments/{id}",
    "POST /v1/environments/{id}/archive",
    "POST /v1/environments/{id}/unarchive",
  ],
  administer: [
    "GET /v1/event-keys",
    "POST /v1/event-keys",
    "PATCH /v1/event-keys/{id}",
    "DELETE /v1/event-keys/{id}",
    "POST /v1/event-keys/{id}/rotate",
    "GET /v1/signing-keys",
    "POST /v1/signing-keys",
    "PATCH /v1/signing-keys/{id}",
    "DELETE /v1/signing-keys/{id}",
    "POST /v1/signing-keys/{id}/rotate",
    "POST /v1/signing-keys/{id}/activate",
  ],
  "administer account": [
    "GET /v1/api-tokens",
    "POST /v1/api-tokens",
    "PATCH /v1/api-tokens/{id}",
    "DELETE /v1/api-tokens/{id}",
    "POST /v1/api-tokens/{id}/rotate",
    "GET /v1/users",
    "PATCH /v1/users/{id}",
    "DELETE /v1/users/{id}",
    "GET /v1/users/{id}/sessions",
    "DELETE /v1/users/{id}/sessions",
    "DELETE /v1/users/{id}/sessions/{session}",
    "POST /v1/users/{id}/password-reset",
    "GET /v1/invitations",
    "POST /v1/invitations",
    "DELETE /v1/invitations/{id}",
    "GET /v1/audit-log",
    "GET /v1/settings",
  ],
};

/** What each kind of caller may do, in the words of the rules above. */
const CALLERS: Record<string, { permissions: readonly string[]; account: boolean }> = {
  "the owner": { permissions: ["read", "send", "manage", "administer"], account: true },
  "an admin": { permissions: ["read", "send", "manage", "administer"], account: true },
  "a member": { permissions: ["read", "send", "manage"], account: true },
  "a viewer": { permissions: ["read"], account: true },
  "a token of everything": { permissions: ["read", "send", "manage", "administer"], account: true },
  "a token to read": { permissions: ["read"], account: true },
  "a token to send": { permissions: ["send"], account: true },
  "a token to manage": { permissions: ["manage", "administer"], account: true },
  "a token of one environment": { permissions: ["read", "send", "manage", "administer"], account: false },
};
/** People only: a token has no password and no sessions to change. */
const OWN_ACCOUNT = new Set(RULES.any!.filter((operation) => !operation.startsWith("GET")));
/** What apps call; the description leaves it out. */
const FOR_APPS = [
  "POST /fn/register",
  "POST /v1/checkpoint/x/async",
  "GET /v0/runs/x/actions",
  "GET /v0/runs/x/batch",
];

const WRONG_FOR_API: Record<string, Record<string, string>> = {
  "no credentials": {},
  "an empty token": { authorization: "Bearer " },
  "an unknown token": { authorization: "Bearer nobody" },
  "the token as a user name": { authorization: `Basic ${btoa(`${API_TOKEN}:`)}` },
  "the token without a scheme": { authorization: API_TOKEN },
  "the token and more": { authorization: `Bearer ${API_TOKEN} x` },
  "the token in upper case": { authorization: `Bearer ${API_TOKEN.toUpperCase()}` },
  "an event key": { authorization: `Bearer ${EVENT_KEY}` },
  "a signing key": { authorization: `Bearer ${SIGNING_KEY}` },
  "the hash of a signing key": { authorization: `Bearer ${SIGNING_HASH}` },
  "the token in a cookie": { cookie: `token=${API_TOKEN}; session=${API_TOKEN}` },
  "the token in another header": { "x-api-key": API_TOKEN, "proxy-authorization": `Bearer ${API_TOKEN}` },
};
const WRONG_FOR_APPS: Record<string, Record<string, string>> = {
  "no credentials": {},
  "an API token": { authorization: `Bearer ${API_TOKEN}` },
  "an event key": { authorization: `Bearer ${EVENT_KEY}` },
  "the signing key itself": { authorization: `Bearer ${SIGNING_KEY}` },
  "a part of the hash": { authorization: `Bearer ${SIGNING_HASH.slice(0, -1)}` },
  "the hash as a signature": { "x-svc-signature": `t=1&s=${SIGNING_HASH}` },
};

describe("in production", () => {
  let service: TestService;
  let operations: [operation: string, described: Operation][];
  before(async () => {
    service = await startService("start", ["--event-key", EVENT_KEY, "--signing-key", SIGNING_KEY]);
    // Read by nobody in particular: the description is open.
    const response = await fetch(`${service.url}/v1/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> };
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        each,
      ]),
    );
    assert.ok(operations.length > 15);
  });
  after(() => service.close());

  const call = async (operation: string, headers: Record<string, string>, query = "") => {
    const [method = "", path = ""] = operation.split(" ");
    const target = path.replace(/\{\w+\}/g, "x") + query;
    const body = method === "POST" ? { body: '{"any":"thing"}' } : {};
    const response = await fetch(service.url + target, { method, headers, ...body });
    if (response.headers.get("content-type") === "text/event-stream") {
      await response.body?.cancel();
      return { status: response.status, code: undefined };
    }
    const text = await response.text();
    const { code, status } = text === "" ? {} : (JSON.parse(text) as { code?: string; status?: number });
    if (!response.ok) assert.equal(status, response.status, operation);
    return { status: response.status, code };
  };
  const refused = async (operation: string, headers: Record<string, string>, why: string, query = "") => {
    assert.deepEqual(
      await call(operation, headers, query),
      { status: 401, code: "unauthorized" },
      `${operation} with ${why}`,
    );
  };

  test("every address that is described as open is meant to be", () => {
    const open = operations.filter(([, { security }]) => security === undefined || security.length === 0);
    assert.deepEqual(new Set(open.map(([operation]) => operation)), OPEN);
  });

  test("every other address refuses whoever has no API token, whatever else they have", async () => {
    for (const [operation] of operations) {
      if (OPEN.has(operation)) continue;
      for (const [why, headers] of Object.entries(WRONG_FOR_API)) await refused(operation, headers, why);
      await refused(operation, {}, "the token in its query", `?token=${API_TOKEN}&access_token=${API_TOKEN}`);
      if (operation.startsWith("GET")) await refused(operation, {}, "another environment", "?env=dev");
      if (!operation.startsWith("GET")) continue;
      const head = await fetch(service.url + operation.slice(4).replace(/\{\w+\}/g, "x"), { method: "HEAD" });
      assert.equal(head.status, 401, `HEAD of ${operation}`);
    }
  });

  test("every other address lets in whoever has one, into environments that exist", async () => {
    const headers = { authorization: `Bearer ${API_TOKEN}` };
    for (const [operation] of operations) {
      if (OPEN.has(operation)) continue;
      if (OWN_ACCOUNT.has(operation)) continue;
      const { status } = await call(operation, headers);
      assert.ok(status !== 401 && status !== 403 && status < 500, `${operation}: ${status}`);
      assert.equal((await call(operation, headers, "?env=nowhere")).status, 404, operation);
      assert.equal((await call(operation, { ...headers, "x-svc-env": "nowhere" })).status, 404, operation);
    }
  });

  test("every address has a rule, and says which", () => {
    for (const [operation, described] of operations) {
      if (OPEN.has(operation)) continue;
      const rule = `${described["x-permission"]}${described["x-account"] ? " account" : ""}`;
      assert.ok(RULES[rule]?.includes(operation), `${operation} says ${rule}`);
    }
  });

  test("every address lets in who may, and nobody else", async () => {
    const callers = await makeCallers(service.url);
    for (const [caller, { permissions, account }] of Object.entries(CALLERS)) {
      const headers = callers[caller]!;
      const isPerson = headers.cookie !== undefined;
      for (const [rule, addresses] of Object.entries(RULES)) {
        const [permission = "", scope] = rule.split(" ");
        const may =
          (permission === "any" || permissions.includes(permission)) && (scope === undefined || account);
        for (const operation of addresses) {
          // It would end the session that the next calls need.
          if (operation === "DELETE /v1/session") continue;
          const { status } = await call(operation, headers);
          const what = `${operation} by ${caller}: ${status}`;
          if (!may) assert.equal(status, 403, what);
          // Refused by its handler, after the body was looked at.
          else if (OWN_ACCOUNT.has(operation) && !isPerson) assert.ok([400, 403, 404].includes(status), what);
          else assert.ok(status !== 401 && status !== 403 && status < 500, what);
        }
      }
    }
  });

  test("a token of one environment reaches no other, and no token one that is not there", async () => {
    const callers = await makeCallers(service.url);
    const one = callers["a token of one environment"]!;
    const all = callers["a token of everything"]!;
    for (const [rule, addresses] of Object.entries(RULES)) {
      if (rule === "any" || rule.endsWith("account")) continue;
      for (const operation of addresses) {
        for (const named of ["production", "branches", "nowhere"]) {
          assert.equal((await call(operation, one, `?env=${named}`)).status, 403, `${operation} ${named}`);
          const header = { ...one, "x-svc-env": named };
          assert.equal((await call(operation, header)).status, 403, `${operation} ${named} by header`);
        }
        assert.notEqual((await call(operation, one, "?env=staging")).status, 403, operation);
        assert.equal((await call(operation, all, "?env=nowhere")).code, "environment_not_found", operation);
      }
    }
  });

  test("a session or token that was revoked opens nothing from the next request on", async () => {
    const callers = await makeCallers(service.url);
    const { id } = callers["a token to read"]!;
    const admin = { authorization: `Bearer ${API_TOKEN}` };
    const { "a viewer": viewer, "a token to read": token } = callers;
    assert.equal((await call("GET /v1/events", token!)).status, 200);
    await fetch(`${service.url}/v1/api-tokens/${id}`, { method: "DELETE", headers: admin });
    await refused("GET /v1/events", token!, "a revoked token");
    assert.equal((await call("GET /v1/events", viewer!)).status, 200);
    await fetch(`${service.url}/v1/session`, { method: "DELETE", headers: viewer! });
    await refused("GET /v1/events", viewer!, "a session that has ended");
  });

  test("what apps call asks for the hash of the signing key, and for nothing else", async () => {
    for (const operation of FOR_APPS) {
      for (const [why, headers] of Object.entries(WRONG_FOR_APPS)) await refused(operation, headers, why);
      const { status } = await call(operation, { authorization: `Bearer ${SIGNING_HASH}` });
      assert.ok(status === 400 || status === 404, `${operation}: ${status}`);
    }
  });

  test("events are taken with an event key in the path only", async () => {
    const body = '{"name":"a","data":{}}';
    for (const key of [
      "",
      "dev",
      API_TOKEN,
      SIGNING_KEY,
      SIGNING_HASH,
      `${EVENT_KEY}/`,
      `x/../${EVENT_KEY}`,
    ]) {
      const headers = { authorization: `Bearer ${EVENT_KEY}` };
      const target = `${service.url}/e/${encodeURIComponent(key)}`;
      assert.equal((await fetch(target, { method: "POST", body, headers })).status, 401, key);
    }
    assert.equal((await fetch(`${service.url}/e/${EVENT_KEY}`, { method: "POST", body })).status, 200);
  });

  test("nothing of a development server is there", async () => {
    assert.equal((await fetch(`${service.url}/dev`)).status, 404);
  });

  test("metrics are for this machine, unless a proxy stands before it", async () => {
    assert.equal((await fetch(`${service.url}/metrics`)).status, 200);
    for (const headers of [{ "x-forwarded-for": "127.0.0.1" }, { forwarded: "for=127.0.0.1" }]) {
      assert.equal((await fetch(`${service.url}/metrics`, { headers })).status, 401);
      const token = { ...headers, authorization: `Bearer ${API_TOKEN}` };
      assert.equal((await fetch(`${service.url}/metrics`, { headers: token })).status, 401);
    }
  });
});

let made = 0;

/** Headers of each kind of caller: people who were invited, tokens that were created. */
async function makeCallers(url: string): Promise<Record<string, Record<string, string>>> {
  const admin = { authorization: `Bearer ${API_TOKEN}`, "content-type": "application/json" };
  const post = async (path: string, body: unknown, headers: Record<string, string> = admin) => {
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    assert.ok(response.ok || response.status === 409, `${path}: ${text}`);
    return { headers: response.headers, data: JSON.parse(text).data };
  };
  const page = { origin: url, "content-type": "application/json" };
  const round = ++made;
  const person = async (role: string) => {
    const invitation = await post("/v1/invitations", { role });
    const account = {
      token: new URL(invitation.data.url).hash.slice(1),
      name: role,
      email: `${role}-${round}@example.com`,
      password: "a long enough pass phrase",
    };
    const joined = await post("/v1/invitations/accept", account, page);
    return { ...page, cookie: joined.headers.getSetCookie()[0]!.split(";")[0]! };
  };
  const token = async (scopes: string[], environment: string | null = null) => {
    const { data } = await post("/v1/api-tokens", { name: `token ${round}`, scopes, environment });
    return { authorization: `Bearer ${data.secret}`, id: data.id as string };
  };
  await post("/v1/environments", { name: "staging", type: "named" });
  return {
    "the owner": await person("owner"),
    "an admin": await person("admin"),
    "a member": await person("member"),
    "a viewer": await person("viewer"),
    "a token of everything": await token(["read", "send", "manage"]),
    "a token to read": await token(["read"]),
    "a token to send": await token(["send"]),
    "a token to manage": await token(["manage"]),
    "a token of one environment": await token(["read", "send", "manage"], "staging"),
  };
}
