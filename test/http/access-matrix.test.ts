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
}

/**
 * What the description may leave open: everybody may read it, sending has its key in the path, and who is not logged in yet
 * shows a password or the token of a link.
 */
const OPEN = new Set([
  "GET /v1",
  "GET /v1/openapi.json",
  "GET /v1/setup",
  "POST /e/{event_key}",
  "POST /v1/invitations/accept",
  "POST /v1/password-reset",
  "POST /v1/session",
  "POST /v1/setup",
]);
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
      const { status } = await call(operation, headers);
      assert.ok(status !== 401 && status !== 403 && status < 500, `${operation}: ${status}`);
      assert.equal((await call(operation, headers, "?env=staging")).status, 404, operation);
      assert.equal((await call(operation, { ...headers, "x-svc-env": "staging" })).status, 404, operation);
    }
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
