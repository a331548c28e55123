import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import type { ZodType } from "zod";
import { createLoginGuard } from "../access/people/login-guard.ts";
import { createPasswords } from "../access/people/passwords.ts";
import { systemClock } from "../clock.ts";
import { ERRORS } from "../errors.ts";
import { silentLogger } from "../observe/log.ts";
import { errorSchema, pageOf } from "./answers.ts";
import { eventSchema, eventSummarySchema } from "./event-answer.ts";
import { type Json, startTestService, type TestService } from "./test-service.ts";

let service: TestService;
let document: Json;
before(async () => {
  const nowhere = { execute: () => Promise.reject(new Error("nothing is stored here")) };
  const parts = { store: nowhere, clock: systemClock, logger: silentLogger, nextId: String };
  // Nobody logs in here, but the routes for it are described.
  const login = { passwords: createPasswords(), guard: createLoginGuard(parts), setupLink: null };
  service = await startTestService({ login });
  const answer = await fetch(`${service.url}/v1/openapi.json`);
  assert.equal(answer.headers.get("content-type"), "application/json");
  document = await answer.json();
});
after(() => service.close());

/** Every object in a JSON value. */
function* objects(value: Json): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value;
  for (const inner of Object.values(value)) yield* objects(inner);
}

test("the description is OpenAPI 3.1 whose references all lead somewhere", () => {
  assert.equal(document.openapi, "3.1.0");
  assert.deepEqual(Object.keys(document.info).sort(), ["description", "license", "title", "version"]);
  let references = 0;
  for (const { $ref } of objects(document)) {
    if ($ref === undefined) continue;
    references++;
    const target = $ref
      .slice(2)
      .split("/")
      .reduce((node: Json, part: string) => node?.[part], document);
    assert.ok(target, `${$ref} leads nowhere`);
  }
  assert.ok(references > 20);
  assert.ok(!JSON.stringify(document).includes("$defs"));
  const ids = new Set<string>();
  for (const [path, operations] of Object.entries<Json>(document.paths)) {
    for (const operation of Object.values<Json>(operations)) {
      assert.match(operation.operationId, /^[a-z][A-Za-z]+$/);
      assert.ok(!ids.has(operation.operationId), operation.operationId);
      ids.add(operation.operationId);
      assert.ok(operation.summary && operation.responses.default, path);
      const inPath = (operation.parameters ?? []).filter((parameter: Json) => parameter.in === "path");
      const named = inPath.map((parameter: Json) => parameter.name);
      assert.deepEqual(
        named,
        [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]),
      );
      for (const { schema } of operation.parameters ?? []) assert.ok(schema.type, path);
    }
  }
});

test("every route of /v1 that is served is described, and sending events too", () => {
  const later = /^\/v1\/(signals|realtime|traces|checkpoint)/;
  for (const { method, path } of service.routes) {
    if (!path.startsWith("/v1") || later.test(path)) continue;
    const operation = document.paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    assert.ok(operation, `${method} ${path} is not described`);
    assert.ok(operation.responses["200"] ?? operation.responses["204"], path);
  }
  assert.ok(document.paths["/e/{event_key}"].post);
});

test("errors are described with every code there is, and API routes with their token", () => {
  assert.deepEqual(document.components.schemas.Error.properties.code.enum, Object.keys(ERRORS));
  assert.deepEqual(document.paths["/v1/events"].get.security, [{ apiToken: [] }, { session: [] }]);
  assert.equal(document.components.securitySchemes.apiToken.scheme, "bearer");
});

test("query parameters are described as clients write them", () => {
  const parameters: Json[] = document.paths["/v1/events"].get.parameters;
  const of = (name: string) => parameters.find((parameter) => parameter.name === name);
  assert.deepEqual(parameters.map(({ name }) => name).sort(), [
    "after",
    "before",
    "cursor",
    "fields",
    "id",
    "lifecycle",
    "limit",
    "name",
    "q",
    "source",
  ]);
  assert.deepEqual(of("limit").schema, { type: "integer", minimum: 1, maximum: 200, default: 20 });
  assert.equal(of("after").schema.type, "string");
  assert.ok(parameters.every(({ required, description }) => required === false && description));
});

test("what the service answers is what it describes", async () => {
  const [first] = await service.seed([
    {
      data: { a: 1 },
      idempotencyId: "x",
      extra: { user: {}, v: "1", cloudevent: { subject: "s" } },
      runs: ["shop-confirm"],
    },
  ]);
  const runId = first!.runs[0]!;
  await service.transition(runId, {
    failedAttempts: [
      {
        id: "1",
        stepId: "step",
        stepName: null,
        attempt: 0,
        error: '{"name":"Error","message":"no"}',
        timing: null,
      },
    ],
    end: { status: "failed", output: null, error: '{"name":"Error","message":"no"}' },
  });
  const made = await service.send("POST", "/v1/webhooks", { name: "Shop", starter: "shopify" });
  const webhook = service.parts.webhooks.operations.directory.byId(made.body.data.id)!;
  await service.receive(webhook, '{"id":1}');
  const requests = await service.get(`/v1/webhooks/${webhook.id}/requests`);
  const params: Record<string, string> = {
    "/v1/webhooks/:id": webhook.id,
    "/v1/webhooks/:id/requests": webhook.id,
    "/v1/webhooks/:id/versions": webhook.id,
    "/v1/webhooks/requests/:id": requests.body.data[0].id,
    "/v1/events/:id": first!.event,
    "/v1/events/:id/runs": first!.event,
    "/v1/runs/:id": runId,
    "/v1/functions/:id": "shop-audit",
    "/v1/functions/:id/stats": "shop-confirm",
    "/v1/environments/:id": "dev",
    "/v1/users/:id/sessions": "ada",
  };
  const now = Date.now();
  const author = { auditId: "a", now, kind: "user", id: "ada", name: "Ada", address: null };
  const session = { id: "s", user_id: "ada", token_hash: "t", created_at: now, expires_at: now + 60_000 };
  await service.store.execute("setUpOwner", {
    author,
    user: { id: "ada", email: "ada@example.com", name: "Ada", password_hash: "x" },
    session: { ...session, address: null, user_agent: null },
  });
  await service.parts.access.reload();
  let checked = 0;
  for (const { method, path, response } of service.routes) {
    if (method !== "GET" || response === undefined) continue;
    const { status, body } = await service.get(path.replace(":id", params[path] ?? ""));
    assert.equal(status, 200, path);
    accepts(response, body, path);
    checked++;
  }
  assert.ok(checked >= 10);
  for (const [method, path, body] of [
    ["POST", "/v1/events/:id/replay", undefined],
    ["POST", "/v1/runs/:id/rerun", undefined],
    ["POST", "/v1/functions/:id/invoke", { data: {} }],
    ["POST", "/v1/functions/:id/pause", undefined],
    ["POST", "/v1/functions/:id/resume", undefined],
    ["POST", "/v1/apps", { url: "http://localhost:3000" }],
    ["POST", "/v1/webhooks", { name: "Another" }],
    [
      "POST",
      "/v1/webhooks/test",
      { transform: "const transform = (evt) => evt", body: { name: "a", data: {} } },
    ],
    ["POST", "/v1/filters/test", { event_filter: { allow: ["a"] }, event: "b" }],
    ["POST", "/v1/webhooks/:id/try", { transform: "const transform = (evt) => ({ name: 'a', data: evt })" }],
    ["POST", "/v1/webhooks/:id/replay", { status: ["ignored"] }],
    ["POST", "/v1/webhooks/:id/rotate", undefined],
    ["POST", "/v1/webhooks/requests/:id/replay", undefined],
    ["PATCH", "/v1/webhooks/:id", { paused: true }],
  ] as const) {
    const id = path.startsWith("/v1/runs")
      ? runId
      : path.startsWith("/v1/events")
        ? first!.event
        : (params[path.replace(/\/(try|replay|rotate)$/, "")] ?? "shop-audit");
    const answer = await service.send(method, path.replace(":id", id), body);
    const { response } = service.routes.find((each) => each.method === method && each.path === path)!;
    accepts(response!, answer.body, path);
  }
  // The list's schema is one of two, so it alone would let an event without its data pass.
  accepts(pageOf(eventSchema), (await service.get("/v1/events")).body, "events");
  const summaries = pageOf(eventSummarySchema.strict());
  accepts(summaries, (await service.get("/v1/events?fields=summary")).body, "summaries");
  accepts(errorSchema, (await service.get("/v1/events/none")).body, "error");
  accepts(errorSchema, (await service.get("/v1/events?limit=x")).body, "error");
});

test("docs/api.md tells of every route that people may call", async () => {
  const docs = await readFile(new URL("../../../../docs/api.md", import.meta.url), "utf8");
  for (const { method, path, access, summary } of service.routes) {
    if (summary === undefined && (access !== "open" || path.startsWith("/v1"))) continue;
    assert.ok(docs.includes(`### \`${method} ${path}\``), `${method} ${path}`);
  }
  for (const [, json] of docs.matchAll(/```json\n([\s\S]*?)```/g)) JSON.parse(json!);
});

function accepts(schema: ZodType, body: Json, path: string): void {
  const result = schema.safeParse(body);
  assert.ok(result.success, `${path}: ${result.error?.message}`);
}
