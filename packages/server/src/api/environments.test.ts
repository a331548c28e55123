import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Json, type ProductionService, productionService } from "../../test/production-service.ts";

let service: ProductionService;
before(async () => {
  service = await productionService();
});
after(() => service.close());

const create = async (name: string, type: "branch" | "named" = "branch"): Promise<Json> => {
  const { status, body } = await service.call("POST", "/v1/environments", { name, type });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
};
const token = async (scopes: string[], environment: string | null = null): Promise<string> => {
  const { body } = await service.call("POST", "/v1/api-tokens", { name: "t", scopes, environment });
  return body.data.secret;
};

test("the list begins with production and the parent of the branches, and pages on", async () => {
  await create("listed-1");
  await create("listed-2");
  const names: string[] = [];
  let cursor = "";
  do {
    const { body } = await service.call("GET", `/v1/environments?limit=1${cursor}`);
    names.push(...body.data.map(({ name }: Json) => name));
    cursor = body.page.has_more ? `&cursor=${body.page.cursor}` : "";
  } while (cursor !== "");
  assert.deepEqual(names.slice(0, 2), ["production", "branches"]);
  assert.ok(names.indexOf("listed-1") < names.indexOf("listed-2"));
  assert.equal(new Set(names).size, names.length);
});

test("an environment is archived, refuses everything but looking, and comes back", async () => {
  const { id, archived_at } = await create("staging", "named");
  assert.equal(archived_at, null);
  const key = (await service.call("POST", "/v1/event-keys?env=staging", { name: "web" })).body.data.secret;
  const { ids } = (await service.send(key)).body;
  const archived = await service.call("POST", `/v1/environments/${id}/archive`);
  assert.notEqual(archived.body.data.archived_at, null);
  // Once more changes nothing.
  assert.deepEqual((await service.call("POST", `/v1/environments/${id}/archive`)).body, archived.body);

  assert.equal((await service.send(key)).body.code, "environment_not_found");
  for (const [method, path] of [
    ["POST", `/v1/events/${ids[0]}/replay`],
    ["POST", "/v1/runs/x/rerun"],
    ["POST", "/v1/functions/x/invoke"],
    ["POST", "/v1/apps"],
  ] as const) {
    const answer = await service.call(method, `${path}?env=staging`, {});
    assert.equal(answer.body.code, "environment_not_found", path);
  }
  assert.equal((await service.call("GET", `/v1/events/${ids[0]}?env=staging`)).status, 200);
  const listed = async (query: string) =>
    (await service.call("GET", `/v1/environments?${query}`)).body.data.map((each: Json) => each.id);
  assert.ok((await listed("archived=true")).includes(id));
  assert.ok(!(await listed("archived=false")).includes(id));

  const back = await service.call("POST", `/v1/environments/${id}/unarchive`);
  assert.equal(back.body.data.archived_at, null);
  assert.equal((await service.send(key)).status, 200);
});

test("what is always there cannot be archived", async () => {
  for (const id of ["production", "branches"]) {
    assert.equal((await service.call("POST", `/v1/environments/${id}/archive`)).body.code, "conflict");
  }
  assert.equal((await service.call("POST", "/v1/environments/x/archive")).status, 404);
});

test("names are checked, and each is given once", async () => {
  const refusal = async (name: unknown) =>
    (await service.call("POST", "/v1/environments", { name, type: "branch" })).body;
  for (const name of ["", "a b", "-a", "production", "branches", "dev", "all", "x".repeat(129), 7]) {
    assert.deepEqual([(await refusal(name)).code, (await refusal(name)).field], ["invalid_request", "name"]);
  }
  const { id } = await create("feature/once");
  assert.match((await refusal("feature/once")).error, /already/);
  await service.call("POST", `/v1/environments/${id}/archive`);
  assert.match((await refusal("feature/once")).error, /archive/);
});

test("two who create one name at the same time: one of them is told", async () => {
  const body = { name: "race", type: "branch" };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => service.call("POST", "/v1/environments", body)),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
});

test("the size of requests is that of the environment", async () => {
  const { id } = await create("small", "named");
  const key = (await service.call("POST", "/v1/event-keys?env=small", { name: "web" })).body.data.secret;
  const large = { name: "a", data: { text: "x".repeat(2_000) } };
  assert.equal((await service.send(key, large)).status, 200);
  const patch = (change: unknown, as?: string) =>
    service.call("PATCH", `/v1/environments/${id}`, change, as === undefined ? {} : { token: as });
  assert.equal((await patch({ max_request_bytes: 1_024 })).body.data.max_request_bytes, 1_024);
  assert.equal((await service.send(key, large)).body.code, "payload_too_large");
  assert.equal((await patch({ max_request_bytes: null })).body.data.max_request_bytes, null);
  assert.equal((await service.send(key, large)).status, 200);
  assert.equal((await patch({ max_request_bytes: 1_023 })).body.field, "max_request_bytes");
  assert.equal((await patch({ auto_archive: true })).body.code, "conflict");
  assert.equal((await patch({ max_bytes: 1 })).body.code, "invalid_request");
});

test("reading, managing and administering are told apart, and tokens of one environment stay out", async () => {
  const reader = await token(["read"]);
  const own = await token(["read", "send", "manage"], "production");
  const body = { name: "by-reader", type: "branch" };
  assert.equal((await service.call("GET", "/v1/environments", undefined, { token: reader })).status, 200);
  assert.equal((await service.call("POST", "/v1/environments", body, { token: reader })).status, 403);
  for (const [method, path] of [
    ["GET", "/v1/environments"],
    ["GET", "/v1/environments/production"],
    ["POST", "/v1/environments"],
    ["POST", "/v1/environments/production/archive"],
  ] as const) {
    const answer = await service.call(method, path, method === "GET" ? undefined : body, { token: own });
    assert.equal(answer.status, 403, path);
  }
});

test("svc dev has one environment and says so", async () => {
  const dev = await productionService({ mode: "dev" });
  try {
    const { body } = await dev.call("GET", "/v1/environments");
    assert.deepEqual(
      body.data.map(({ name, type }: Json) => [name, type]),
      [["dev", "development"]],
    );
    const created = await dev.call("POST", "/v1/environments", { name: "x", type: "branch" });
    assert.equal(created.body.code, "conflict");
    assert.match(created.body.error, /svc start/);
    assert.equal((await dev.call("POST", "/v1/environments/dev/archive")).body.code, "conflict");
  } finally {
    await dev.close();
  }
});
