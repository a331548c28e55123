/** Environments see and reach nothing of each other: one service, five environments with the same names in all of them. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { hashSigningKey } from "../../packages/protocol/src/index.ts";
import { Client } from "../../packages/sdk/src/index.ts";
import { serve } from "../../packages/sdk/src/node.ts";
import { API_TOKEN, startService, type TestService } from "../service.ts";

/** Parsed JSON of an answer, whatever its shape. */
type Json = ReturnType<typeof JSON.parse>;

interface Environment {
  name: string;
  eventKey: string;
  signingKey: string;
  /** An API token for this environment only. */
  token: string;
  appUrl: string;
  /** What its app was called for. */
  ran: Json[];
  /** Of the event that was sent to it before the tests. */
  eventId: string;
  runId: string;
}

const EVENT_KEY = "isolation-event-key";
const SIGNING_KEY = `signkey-prod-${"12".repeat(32)}`;
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const BRANCHES = ["feature/a", "feature/b"];
const ORDER = { name: "shop/order", id: "order-1" };

let service: TestService;
const environments: Environment[] = [];
const closers: (() => void)[] = [];
/** Functions of these environments stay in their call until they are let go. */
const held = new Map<string, () => void>();

before(async () => {
  // An address where no app is, that only production is to know of.
  const flags = ["--event-key", EVENT_KEY, "--signing-key", SIGNING_KEY, "-u", "http://127.0.0.1:9/none"];
  service = await startService("start", flags);
  const create = async (path: string, body: unknown) => (await call("POST", path, { body })).body.data;
  for (const name of ["staging", "eu"]) await create("/v1/environments", { name, type: "named" });
  for (const name of BRANCHES) await create("/v1/environments", { name, type: "branch" });
  const branchKeys = {
    eventKey: (await create("/v1/event-keys?env=branches", { name: "web" })).secret,
    signingKey: (await create("/v1/signing-keys?env=branches", { name: "apps" })).secret,
  };
  for (const name of ["production", "staging", "eu", ...BRANCHES]) {
    const keys = BRANCHES.includes(name)
      ? branchKeys
      : name === "production"
        ? { eventKey: EVENT_KEY, signingKey: SIGNING_KEY }
        : {
            eventKey: (await create(`/v1/event-keys?env=${name}`, { name: "web" })).secret,
            signingKey: (await create(`/v1/signing-keys?env=${name}`, { name: "apps" })).secret,
          };
    const scopes = ["read", "send", "manage"];
    const { secret: token } = await create("/v1/api-tokens", { name, scopes, environment: name });
    environments.push({ name, ...keys, token, ...(await startApp(name, keys)), eventId: "", runId: "" });
  }
  for (const each of environments) {
    const { body } = await send(each, { ...ORDER, data: { from: each.name } });
    each.eventId = body.ids[0];
    await service.eventually(async () => {
      const { data } = (await call("GET", `/v1/events/${each.eventId}/runs`, { token: each.token })).body;
      assert.equal(data[0]?.status, "completed");
      each.runId = data[0].id;
    });
  }
});
after(async () => {
  for (const close of closers) close();
  await service?.close();
});

interface CallOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const call = async (method: string, path: string, options: CallOptions = {}) => {
  const { token = API_TOKEN, body, headers } = options;
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as Json };
};

const send = async ({ name, eventKey }: Environment, event: unknown, more: Record<string, string> = {}) => {
  const headers = { ...(BRANCHES.includes(name) && { "x-svc-env": name }), ...more };
  const response = await fetch(`${service.url}/e/${eventKey}`, {
    method: "POST",
    headers,
    body: JSON.stringify(event),
  });
  return { status: response.status, body: (await response.json()) as Json };
};

/** An app that has the same id and the same functions in every environment. */
async function startApp(name: string, keys: { eventKey: string; signingKey: string }) {
  const ran: Json[] = [];
  const client = new Client({
    id: "shop",
    baseUrl: service.url,
    isDev: false,
    logger: silent,
    ...keys,
    ...(BRANCHES.includes(name) && { env: name }),
  });
  const confirm = client.createFunction({ id: "confirm" }, "shop/order", async ({ event, step }) => {
    const data = event.data as Json;
    const noted = await step.run("note", () => ran.push(data));
    if (data.hold) await new Promise<void>((resolve) => held.set(name, resolve));
    await step.run("second", () => name);
    if (data.tell) await step.sendEvent("tell", { name: "shop/told", data: {} });
    return { name, noted };
  });
  const server = createServer();
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const serveOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on("request", serve({ client, functions: [confirm], serveOrigin }));
  const appUrl = `${serveOrigin}/api/svc`;
  const synced = await fetch(appUrl, { method: "PUT" });
  assert.equal(synced.status, 200, await synced.text());
  return { ran, appUrl };
}

/** Each environment with each other one. */
const pairs = () =>
  environments.flatMap((own) =>
    environments.filter((other) => other !== own).map((other) => ({ own, other })),
  );

test("one deduplication id is another one in each environment, and each runs its own app alone", () => {
  assert.equal(new Set(environments.map(({ eventId }) => eventId)).size, environments.length);
  for (const { name, ran } of environments) assert.deepEqual(ran, [{ from: name }]);
});

test("lists, counts and functions show what is in the environment and nothing else", async () => {
  for (const { name, token, eventId, runId, appUrl } of environments) {
    for (const as of [
      { token },
      { headers: { "x-svc-env": name } },
      { headers: { "x-inngest-env": name } },
    ]) {
      const get = async (path: string) => (await call("GET", path, as)).body;
      const events = (await get("/v1/events?name=shop/*")).data;
      assert.deepEqual(
        events.map((event: Json) => [event.id, event.environment]),
        [[eventId, name]],
      );
      const runs = (await get("/v1/runs")).data;
      assert.deepEqual(
        runs.map(({ id }: Json) => id),
        [runId],
      );
      const counted = (await get("/v1/events/stats?bucket=1h")).data.buckets;
      const all = (await get("/v1/events")).data.length;
      assert.equal(
        counted.reduce((sum: number, { count }: Json) => sum + count, 0),
        all,
      );
      const statuses = (await get("/v1/runs/stats?bucket=1h")).data.buckets;
      assert.equal(
        statuses.reduce((sum: number, { completed }: Json) => sum + completed, 0),
        1,
      );
      assert.deepEqual(
        (await get("/v1/functions/stats")).data.functions.map(({ id, count }: Json) => [id, count]),
        [["shop-confirm", 1]],
      );
      assert.equal((await get("/v1/functions/shop-confirm/stats")).data.count, 1);
      assert.deepEqual(
        (await get("/v1/apps")).data.map(({ url }: Json) => new URL(url).port),
        [new URL(appUrl).port],
      );
      const addresses = (await get("/v1/apps")).addresses.map(({ url }: Json) => url);
      assert.equal(addresses.includes("http://127.0.0.1:9/none"), name === "production");
      if (name !== "production") assert.deepEqual(addresses, []);
      const [fn] = (await get("/v1/functions")).data;
      assert.equal(new URL(fn.url).port, new URL(appUrl).port);
      // By the id its sender gave it there is one in every environment.
      assert.equal((await get("/v1/events/order-1")).data.id, eventId);
    }
  }
});

test("nothing is reached by its id from another environment", async () => {
  for (const { own, other } of pairs()) {
    const as = { token: own.token };
    for (const [method, path] of [
      ["GET", `/v1/events/${other.eventId}`],
      ["GET", `/v1/events/${other.eventId}/runs`],
      ["POST", `/v1/events/${other.eventId}/replay`],
      ["GET", `/v1/runs/${other.runId}`],
      ["POST", `/v1/runs/${other.runId}/cancel`],
      ["POST", `/v1/runs/${other.runId}/rerun`],
    ] as const) {
      const { status, body } = await call(method, path, as);
      assert.deepEqual([status, body.code], [404, "not_found"], `${method} ${path} from ${own.name}`);
    }
    assert.deepEqual((await call("GET", `/v1/runs?event=${other.eventId}`, as)).body.data, []);
    const hash = await hashSigningKey(own.signingKey);
    const headers = BRANCHES.includes(own.name) ? { "x-svc-env": own.name } : {};
    for (const path of ["actions", "batch"]) {
      const answer = await call("GET", `/v0/runs/${other.runId}/${path}`, { token: hash, headers });
      assert.equal(answer.status, 404, `${path} of ${other.name} from ${own.name}`);
    }
  }
});

test("a function that is paused in one environment runs in the others", async () => {
  const [first, ...others] = environments;
  const paused = await call("POST", "/v1/functions/shop-confirm/pause", { token: first!.token });
  assert.equal(paused.body.data.paused, true);
  for (const { token } of others) {
    assert.equal((await call("GET", "/v1/functions/shop-confirm", { token })).body.data.paused, false);
  }
  const resumed = await call("POST", "/v1/functions/shop-confirm/resume", { token: first!.token });
  assert.equal(resumed.body.data.paused, false);
});

test("a token of one environment is refused in every other one", async () => {
  for (const { own, other } of pairs()) {
    for (const path of ["/v1/events", "/v1/runs", "/v1/functions", "/v1/event-keys"]) {
      const inQuery = await call("GET", `${path}?env=${encodeURIComponent(other.name)}`, {
        token: own.token,
      });
      assert.deepEqual([inQuery.status, inQuery.body.code], [403, "forbidden"]);
    }
    for (const header of ["x-svc-env", "x-inngest-env"]) {
      const body = { data: {} };
      const headers = { [header]: other.name };
      const invoked = await call("POST", "/v1/functions/shop-confirm/invoke", {
        token: own.token,
        headers,
        body,
      });
      assert.equal(invoked.status, 403, `${own.name} in ${other.name}`);
    }
  }
});

test("a key of one environment leads into no other one", async () => {
  for (const { own, other } of pairs()) {
    if (BRANCHES.includes(own.name) && BRANCHES.includes(other.name)) continue;
    const hash = await hashSigningKey(own.signingKey);
    for (const header of ["x-svc-env", "x-inngest-env"]) {
      const headers = { [header]: other.name };
      const sync = await call("POST", "/fn/register", { token: hash, headers, body: {} });
      if (BRANCHES.includes(own.name)) {
        assert.equal(sync.body.code, "environment_not_found", other.name);
        continue;
      }
      assert.deepEqual([sync.status, sync.body.code], [403, "forbidden"], `${own.name} into ${other.name}`);
      assert.equal((await send(own, ORDER, headers)).status, 403);
    }
  }
  const branch = environments.find(({ name }) => name === "feature/a")!;
  for (const name of ["production", "staging", "branches"]) {
    assert.equal((await send(branch, ORDER, { "x-svc-env": name })).body.code, "environment_not_found");
  }
});

test("a branch key names a branch that is there", async () => {
  const branch = environments.find(({ name }) => name === "feature/a")!;
  const body = JSON.stringify({ ...ORDER, data: {} });
  const bare = await fetch(`${service.url}/e/${branch.eventKey}`, { method: "POST", body });
  assert.deepEqual([bare.status, ((await bare.json()) as Json).code], [400, "environment_required"]);
  const unknown = await send(branch, ORDER, { "x-svc-env": "feature/none" });
  assert.deepEqual([unknown.status, unknown.body.code], [404, "environment_not_found"]);
  // The twin of the header, as inngest's clients send it.
  const twin = await fetch(`${service.url}/e/${branch.eventKey}`, {
    method: "POST",
    headers: { "x-inngest-env": "feature/b" },
    body: JSON.stringify({ name: "shop/twin", data: {} }),
  });
  const [id] = ((await twin.json()) as Json).ids;
  const other = environments.find(({ name }) => name === "feature/b")!;
  assert.equal((await call("GET", `/v1/events/${id}`, { token: other.token })).status, 200);
  assert.equal((await call("GET", `/v1/events/${id}`, { token: branch.token })).status, 404);
});

test("an app is synced into no environment whose key it does not have, asked from there neither", async () => {
  const [production, staging] = environments as [Environment, Environment];
  const body = { url: production.appUrl };
  const answer = await call("POST", "/v1/apps", { token: staging.token, body });
  assert.equal(answer.body.code, "sync_failed");
  const parent = await call("POST", "/v1/apps?env=branches", { body });
  assert.equal(parent.body.code, "environment_required");
});

test("a live stream carries the events of its environment only", async () => {
  const streams = await Promise.all(
    environments.map(async ({ token }) => {
      const response = await fetch(`${service.url}/v1/events/stream?name=shop/live,shop/last`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return response.body!.pipeThrough(new TextDecoderStream()).getReader();
    }),
  );
  for (const name of ["shop/live", "shop/last"]) {
    for (const each of environments) await send(each, { name, data: { only: each.name } });
  }
  for (const [i, reader] of streams.entries()) {
    let text = "";
    while (!text.includes('"shop/last"') || !text.endsWith("\n\n")) text += (await reader.read()).value;
    const told = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!).data.only);
    assert.deepEqual(told, [environments[i]!.name, environments[i]!.name]);
    await reader.cancel();
  }
});

test("step.sendEvent and invoking stay in the environment of the run", async () => {
  for (const each of environments) {
    const body = { data: { from: "invoked", tell: true } };
    const { token } = each;
    const invoked = await call("POST", "/v1/functions/shop-confirm/invoke", { token, body });
    const id = invoked.body.data.run_id;
    await service.eventually(async () => {
      const { data } = (await call("GET", `/v1/runs/${id}`, { token })).body;
      assert.deepEqual([data.status, data.output?.name], ["completed", each.name]);
    });
    assert.equal((await call("GET", "/v1/events?name=shop/told", { token })).body.data.length, 1);
    assert.equal(each.ran.at(-1).from, "invoked");
  }
});

test("cancelling all runs of one environment leaves those of another one alone", async () => {
  const [a, b] = ["feature/a", "feature/b"].map((name) => environments.find((each) => each.name === name)!);
  const runs: string[] = [];
  for (const each of [a!, b!]) {
    const { ids } = (await send(each, { name: "shop/order", data: { hold: true } })).body;
    await service.eventually(async () => {
      assert.ok(held.has(each.name));
      const { data } = (await call("GET", `/v1/events/${ids[0]}/runs`, { token: each.token })).body;
      runs.push(data[0].id);
    });
  }
  assert.equal((await call("POST", `/v1/runs/${runs[0]}/cancel`, { token: a!.token })).status, 200);
  held.get("feature/b")!();
  held.get("feature/a")!();
  await service.eventually(async () => {
    const { data } = (await call("GET", `/v1/runs/${runs[1]}`, { token: b!.token })).body;
    assert.equal(data.status, "completed");
  });
});

test("an archived branch takes nothing new, while its run under way goes on to its end", async () => {
  const branch = environments.find(({ name }) => name === "feature/b")!;
  const { token } = branch;
  held.delete(branch.name);
  const { ids } = (await send(branch, { name: "shop/order", data: { hold: true } })).body;
  await service.eventually(() => assert.ok(held.has(branch.name)));
  const list = (await call("GET", "/v1/environments")).body.data;
  const { id } = list.find(({ name }: Json) => name === branch.name);
  assert.equal((await call("POST", `/v1/environments/${id}/archive`)).status, 200);

  assert.equal((await send(branch, ORDER)).body.code, "environment_not_found");
  for (const path of [
    `/v1/events/${branch.eventId}/replay`,
    `/v1/runs/${branch.runId}/rerun`,
    "/v1/functions/shop-confirm/invoke",
  ]) {
    const answer = await call("POST", path, { token, body: { data: {} } });
    assert.equal(answer.body.code, "environment_not_found", path);
  }
  // What its app asks for while it runs is still answered.
  const [{ id: runId }] = (await call("GET", `/v1/events/${ids[0]}/runs`, { token })).body.data;
  const asApp = { token: await hashSigningKey(branch.signingKey), headers: { "x-svc-env": branch.name } };
  assert.equal((await call("GET", `/v0/runs/${runId}/actions`, asApp)).status, 200);
  held.get(branch.name)!();
  await service.eventually(async () => {
    const [run] = (await call("GET", `/v1/events/${ids[0]}/runs`, { token })).body.data;
    assert.equal(run.status, "completed");
  });
  // The app syncs again, as the next deployment of the branch does: it is back.
  assert.equal((await fetch(branch.appUrl, { method: "PUT" })).status, 200);
  assert.equal((await send(branch, { ...ORDER, data: {} })).status, 200);
});
