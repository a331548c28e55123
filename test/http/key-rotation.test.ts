/** Signing keys change while apps run: ours, and an unmodified client of the Inngest SDK specification on a branch. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Inngest } from "inngest";
import { serve as serveInngest } from "inngest/node";
import { Client } from "../../packages/sdk/src/index.ts";
import { serve } from "../../packages/sdk/src/node.ts";
import { API_TOKEN, startService, type TestService } from "../service.ts";

/** Parsed JSON of an answer, whatever its shape. */
type Json = ReturnType<typeof JSON.parse>;

interface AppKeys {
  eventKey: string;
  signingKey: string;
  signingKeyFallback?: string;
}

const EVENT_KEY = "rotation-event-key";
const silent = { debug() {}, info() {}, warn() {}, error() {} };

function apiOf({ url }: TestService) {
  return async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${API_TOKEN}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${text}`);
    return text === "" ? null : JSON.parse(text).data;
  };
}

/** Serve at a fixed place what can be replaced, as a deployment does. */
async function deployments(t: TestContext) {
  let current: RequestListener = () => {};
  const server = createServer((req, res) => current(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    async deploy(path: string, listener: RequestListener) {
      current = listener;
      const synced = await fetch(origin + path, { method: "PUT" });
      assert.equal(synced.status, 200, await synced.text());
    },
  };
}

/** The steps of docs/environments-and-keys.md: no call is refused in any of them. */
async function rotate(
  service: TestService,
  env: string,
  deploy: (keys: AppKeys) => Promise<void>,
  eventKey: string,
): Promise<void> {
  const api = apiOf(service);
  const query = `?env=${env}`;
  const headers: Record<string, string> = env === "production" ? {} : { "x-svc-env": env };
  const runs = async () => {
    const sent = await fetch(`${service.url}/e/${eventKey}`, {
      method: "POST",
      headers,
      body: '{"name":"shop/order","data":{}}',
    });
    const { ids } = (await sent.json()) as { ids: string[] };
    await service.eventually(async () => {
      const [run] = await api("GET", `/v1/events/${ids[0]}/runs${query}`);
      // One call for each step and the end: none was refused and tried again.
      assert.deepEqual([run?.status, run?.output], ["completed", "done"]);
    });
    const [{ id }] = await api("GET", `/v1/events/${ids[0]}/runs${query}`);
    const { failed_calls, steps } = await api("GET", `/v1/runs/${id}${query}`);
    assert.deepEqual([failed_calls, steps.map((step: Json) => step.attempts.length)], [[], [1]]);
  };

  const old = await api("POST", `/v1/signing-keys${query}`, { name: "old" });
  assert.equal(old.signing, true);
  await deploy({ eventKey, signingKey: old.secret });
  await runs();
  const fresh = await api("POST", `/v1/signing-keys${query}`, { name: "new" });
  await runs();
  await deploy({ eventKey, signingKey: fresh.secret, signingKeyFallback: old.secret });
  await runs();
  await api("POST", `/v1/signing-keys/${fresh.id}/activate${query}`);
  await runs();
  await api("DELETE", `/v1/signing-keys/${old.id}${query}`);
  await runs();
  await deploy({ eventKey, signingKey: fresh.secret });
  await runs();
}

test("a signing key is rotated without a refused call", async (t) => {
  const service = await startService("start", ["--event-key", EVENT_KEY, "--retry-base", "20ms"]);
  t.after(() => service.close());
  const app = await deployments(t);
  const deploy = (keys: AppKeys) => {
    const client = new Client({ id: "shop", baseUrl: service.url, isDev: false, logger: silent, ...keys });
    const work = client.createFunction({ id: "work" }, "shop/order", async ({ step }) => {
      await step.run("one", () => 1);
      return "done";
    });
    return app.deploy("/api/svc", serve({ client, functions: [work], serveOrigin: app.origin }));
  };
  await rotate(service, "production", deploy, EVENT_KEY);
});

test("the signing key of the branches is rotated under an inngest client", async (t) => {
  const service = await startService("start", ["--event-key", EVENT_KEY, "--retry-base", "20ms"]);
  t.after(() => service.close());
  const { secret } = await apiOf(service)("POST", "/v1/event-keys?env=branches", { name: "previews" });
  await apiOf(service)("POST", "/v1/environments", { name: "feature/x", type: "branch" });
  const app = await deployments(t);
  const deploy = (keys: AppKeys) => {
    const client = new Inngest({
      id: "shop",
      baseUrl: service.url,
      isDev: false,
      env: "feature/x",
      logger: silent,
      ...keys,
    });
    const work = client.createFunction(
      { id: "work", triggers: [{ event: "shop/order" }] },
      async ({ step }) => {
        await step.run("one", () => 1);
        return "done";
      },
    );
    return app.deploy("/api/inngest", serveInngest({ client, functions: [work] }));
  };
  await rotate(service, "feature/x", deploy, secret);
});

test("no secret of the API is written to the disk in the clear", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "svc-secrets-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const service = await startService("start", ["--event-key", EVENT_KEY, "--data-dir", folder]);
  const api = apiOf(service);
  const secrets: string[] = [];
  for (const [path, body] of [
    ["/v1/event-keys", { name: "findable-name" }],
    ["/v1/signing-keys", { name: "findable-name" }],
    ["/v1/api-tokens", { name: "findable-name", scopes: ["read"] }],
  ] as const) {
    const { id, secret } = await api("POST", path, body);
    secrets.push(secret, (await api("POST", `${path}/${id}/rotate`, {})).secret);
    await api("PATCH", `${path}/${id}`, { name: "findable-name" });
  }
  await service.close();
  const files = (await readdir(folder)).filter((name) => name.startsWith("svc.db"));
  const bytes = Buffer.concat(await Promise.all(files.map((name) => readFile(join(folder, name)))));
  assert.ok(bytes.includes("findable-name"), "the files are those that hold the keys");
  for (const secret of secrets) {
    // What is random about it, without the prefix, in the middle: the hint has the end.
    assert.ok(!bytes.includes(secret.slice(-40, -8)), secret);
  }
});
