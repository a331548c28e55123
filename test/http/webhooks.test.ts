/** `POST /e/<webhook_key>` as producers see it: every row of the contract over real HTTP against the whole service. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isUlid } from "@svc/protocol";
import { type Answer, EVENT_KEY, startWebhookService, type WebhookService } from "./webhook-service.ts";

describe("POST /e/<webhook_key>", () => {
  let service: WebhookService;
  before(async () => {
    service = await startWebhookService("start", ["--trust-proxy"]);
  });
  after(() => service.close());

  const kept = (answer: Answer, code: string) => {
    assert.deepEqual([answer.status, answer.body], [202, { ids: [], status: 202, code }]);
  };
  const refused = (answer: Answer, status: number, code: string) => {
    assert.deepEqual([answer.status, answer.body.status, answer.body.code], [status, status, code]);
    assert.equal(typeof answer.body.error, "string");
  };

  test("an accepted request is answered with the ids of its events, in order", async () => {
    const hook = await service.create("return [{name: 'a/1', data: {}}, {name: 'a/2', data: evt}]");
    const { status, body } = await service.send(hook.url, { n: 1 });
    assert.deepEqual([status, body.status, body.ids.length], [200, 200, 2]);
    assert.ok(body.ids.every(isUlid));
    assert.equal((await service.event(body.ids[0])).name, "a/1");
    assert.deepEqual((await service.event(body.ids[1])).data, { n: 1 });
    const [request] = await service.requests(hook);
    assert.deepEqual([request.status, request.event_ids], ["accepted", body.ids]);
    const event = await service.api<{ data: { webhook_request: unknown; source: unknown } }>(
      `/v1/events/${body.ids[1]}`,
    );
    assert.deepEqual(event.data.webhook_request, { webhook_id: hook.id, request_id: request.id });
    assert.deepEqual(event.data.source, { kind: "webhook", name: "Hook" });
  });

  test("what a transform is called with: canonical headers, arrays of query values, the body", async () => {
    const hook = await service.create("return {name: 'seen/all', data: {evt, headers, queryParams, raw}}");
    const { body } = await service.send(hook.url, '{"a": [1, null]}', {
      headers: { "x-GITHUB-event": "push", "x-a": "1", "ACCEPT-language": "de" },
      query: "?b=2&a=1&a=x%20y+z&c&__proto__=p",
    });
    const { data } = (await service.event(body.ids[0])) as { data: Record<string, unknown> };
    assert.deepEqual(data.evt, { a: [1, null] });
    assert.equal(data.raw, '{"a": [1, null]}');
    assert.deepEqual(
      JSON.stringify(data.queryParams),
      '{"b":["2"],"a":["1","x y z"],"c":[""],"__proto__":["p"]}',
    );
    const headers = data.headers as Record<string, string>;
    assert.equal(headers["X-Github-Event"], "push");
    assert.equal(headers["Accept-Language"], "de");
    for (const name of Object.keys(headers)) assert.match(name, /^([A-Z][^A-Z-]*)(-[A-Z0-9][^A-Z-]*)*$/);
  });

  test("bodies become `evt` by their type, and `{}` where they have no value", async () => {
    const hook = await service.create("return {name: 'seen/evt', data: {evt}}");
    const form = new FormData();
    form.append("a", "1");
    form.append("a", "2");
    form.append("file", new Blob(["x"], { type: "text/plain" }), "x.txt");
    const multipart = new Response(form);
    const rows: [string, string | Uint8Array, unknown][] = [
      ["application/json", "[1,2]", [1, 2]],
      ["application/json", "5", 5],
      ["application/vnd.api+json; charset=utf-8", '{"a":1}', { a: 1 }],
      ["application/x-www-form-urlencoded", "a=1&b=x+y&a=%C3%A9", { a: ["1", "é"], b: "x y" }],
      [
        multipart.headers.get("content-type")!,
        new Uint8Array(await multipart.arrayBuffer()),
        { a: ["1", "2"], file: { filename: "x.txt", content_type: "text/plain", size: 1 } },
      ],
      ["text/plain", '{"a":1}', {}],
      ["application/xml", "<a/>", {}],
      ["application/json", "{", {}],
      ["application/json", "", {}],
    ];
    for (const [type, body, evt] of rows) {
      const answer = await service.send(hook.url, body, { headers: { "content-type": type } });
      const { data } = (await service.event(answer.body.ids[0])) as { data: { evt: unknown } };
      assert.deepEqual(data.evt, evt, type);
    }
  });

  test("transforms may be TypeScript and async; the time of an event is that of receipt unless given", async () => {
    const transform = `interface In { n: number }
      export default async function transform(evt: In): Promise<unknown> {
        await null;
        const at = evt.n > 0 ? { ts: evt.n } : {};
        return { name: "typed/event", data: { n: evt.n satisfies number }, ...at };
      }`;
    const hook = await service.create("", { transform: transform.replace("export default ", "") });
    const own = await service.send(hook.url, { n: 1_600_000_000_000 });
    const ofReceipt = await service.send(hook.url, { n: 0 });
    const eventOf = async ({ body }: Answer) =>
      (await service.api<{ data: { ts: string } }>(`/v1/events/${body.ids[0]}`)).data;
    assert.equal((await eventOf(own)).ts, new Date(1_600_000_000_000).toISOString());
    const [request] = await service.requests(hook);
    assert.equal((await eventOf(ofReceipt)).ts, request.received_at);
  });

  test("what triggers nothing is kept and answered with 202 and the reason", async () => {
    const ignores = await service.create("return evt.none ? [] : evt.undefined ? undefined : null");
    for (const body of [{}, { none: 1 }, { undefined: 1 }])
      kept(await service.send(ignores.url, body), "ignored");
    const throws = await service.create("\n  throw new TypeError('no order')");
    kept(await service.send(throws.url, {}), "transform_failed");
    const { status, error, event_ids } = await service.newest(throws);
    assert.deepEqual(
      [status, error.kind, error.message, error.line, event_ids],
      ["failed", "runtime", "TypeError: no order", 2, []],
    );
    const filters = await service.create("return [{name: evt.a, data: {}}, {name: 'in/1', data: {}}]", {
      event_filter: { allow: ["in/*"], deny: ["in/secret"] },
    });
    for (const name of ["out/1", "in/secret"]) {
      kept(await service.send(filters.url, { a: name }), "event_filtered");
      assert.deepEqual(await service.eventsNamed(name), []);
    }
    assert.equal((await service.send(filters.url, { a: "in/2" })).status, 200);
    assert.equal((await service.eventsNamed("in/1")).length, 1);
    const paused = await service.create("return {name: 'paused/event', data: {}}");
    await service.call("PATCH", `/v1/webhooks/${paused.id}`, { paused: true });
    kept(await service.send(paused.url, {}), "paused");
    assert.deepEqual(await service.eventsNamed("paused/event"), []);
  });

  test("a result that breaks the rules of events fails as a whole", async () => {
    const hook = await service.create("return [{name: 'whole/event', data: {}}, evt]");
    for (const bad of [{}, { name: "a/b" }, { name: "svc/x", data: {} }, { name: "a/b", data: [] }, 5]) {
      kept(await service.send(hook.url, bad), "transform_failed");
      assert.equal((await service.newest(hook)).error.kind, "invalid_event");
    }
    assert.deepEqual(await service.eventsNamed("whole/event"), []);
  });

  test("the environment is that of the webhook, for branches the one that is named", async () => {
    const production = await service.create("return {name: 'env/production', data: {}}");
    await service.send(production.url, {}, { headers: { "x-svc-env": "b" } });
    assert.equal((await service.eventsNamed("env/production")).length, 1);
    const branches = await service.create("return {name: 'env/branch', data: {}}", {
      environment: "branches",
    });
    const to = (headers: Record<string, string>, query = "") =>
      service.send(branches.url, {}, { headers, query });
    assert.equal((await to({ "x-svc-env": "feature/a" })).status, 200);
    assert.equal((await to({ "x-inngest-env": "feature/a" })).status, 200);
    assert.equal((await to({ "x-svc-env": "feature/a" }, "?x-svc-env=b")).status, 200);
    assert.equal((await service.eventsNamed("env/branch", "feature/a")).length, 2);
    assert.equal((await service.eventsNamed("env/branch", "b")).length, 1);
    for (const [headers, query] of [[{}], [{}, "?x-svc-env=none"], [{ "x-svc-env": "archived" }]] as const) {
      kept(await to(headers, query), "unrouted");
    }
    kept(await to({ "x-svc-env": "production" }), "unrouted");
    assert.deepEqual(await service.eventsNamed("env/branch"), []);
    const unrouted = await service.newest(branches);
    assert.deepEqual([unrouted.status, unrouted.events.name], ["unrouted", "env/branch"]);
    const route = (environment: string) =>
      service.call("POST", `/v1/webhooks/requests/${unrouted.id}/route`, { environment });
    refused(await route("none"), 404, "environment_not_found");
    const routed = await route("b");
    assert.deepEqual([routed.status, routed.body.data.status], [200, "accepted"]);
    assert.equal((await service.eventsNamed("env/branch", "b")).length, 2);
    refused(await route("b"), 409, "conflict");
  });

  test("of replays and routes of one unrouted request at once, one at most makes its event", async () => {
    const hook = await service.create("return {name: 'env/raced', data: {}}", { environment: "branches" });
    kept(await service.send(hook.url, {}), "unrouted");
    const [{ id }] = await service.requests(hook);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        n % 2 === 0
          ? service.call("POST", `/v1/webhooks/requests/${id}/replay`)
          : service.call("POST", `/v1/webhooks/requests/${id}/route`, { environment: "b" }),
      ),
    );
    for (const { status, body } of answers) assert.ok([200, 409].includes(status), JSON.stringify(body));
    const accepted = answers.filter(({ body }) => body.data?.status === "accepted").length;
    assert.ok(accepted <= 1, `${accepted} were accepted`);
    assert.equal((await service.eventsNamed("env/raced", "b")).length, accepted);
    assert.equal((await service.newest(hook)).status, accepted === 1 ? "accepted" : "unrouted");
  });

  test("the same id is one event, across requests, webhooks and keys, and its duplicates name it", async () => {
    const first = await service.create("return {name: 'once/event', id: 'evt-' + evt.n, data: {}}");
    const second = await service.create(
      "return [{name: 'once/event', id: 'evt-' + evt.n, data: {}}, {name: 'once/other', data: {}}]",
    );
    const original = (await service.send(first.url, { n: 1 })).body;
    assert.deepEqual((await service.send(first.url, { n: 1 })).body, original);
    assert.equal((await service.requests(first))[0].status, "duplicate");
    const mixed = (await service.send(second.url, { n: 1 })).body;
    assert.deepEqual([mixed.status, mixed.ids[0]], [200, original.ids[0]]);
    assert.equal((await service.requests(second))[0].status, "accepted");
    const byKey = { name: "once/event", id: "evt-1", data: {} };
    const sent = await service.send(`${service.url}/e/${EVENT_KEY}`, byKey);
    assert.deepEqual(sent.body.ids, original.ids);
    assert.equal((await service.eventsNamed("once/event")).length, 1);
    assert.equal((await service.eventsNamed("once/other")).length, 1);
  });

  test("an address that is not let in is refused before anything is stored", async () => {
    const hook = await service.create("return null", {
      ip_filter: { allow: ["203.0.113.0/24"], deny: ["203.0.113.9"] },
    });
    const from = (address: string) =>
      service.send(hook.url, {}, { headers: { "x-forwarded-for": `203.0.113.1, ${address}` } });
    for (const address of ["203.0.113.9", "198.51.100.1", "unknown"])
      refused(await from(address), 403, "ip_denied");
    refused(await service.send(hook.url, {}), 403, "ip_denied");
    assert.deepEqual(await service.requests(hook), []);
    kept(await from("203.0.113.7"), "ignored");
    assert.equal((await service.requests(hook))[0].address, "203.0.113.7");
  });

  test("past its rate a webhook answers 429, and says when to come back", async () => {
    const hook = await service.create("return null", { rate_limit: { requests: 2, per: "hour" } });
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(await service.send(hook.url, {}));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202, 429],
    );
    refused(answers[2]!, 429, "rate_limited");
    assert.ok(Number(answers[2]!.headers.get("retry-after")) > 0);
    assert.equal((await service.requests(hook)).length, 2);
  });

  test("a body over 512 KiB is refused and not stored, also when it comes small and becomes large", async () => {
    const hook = await service.create("return null");
    const text = "x".repeat(512 * 1024);
    kept(await service.send(hook.url, text), "ignored");
    assert.equal((await service.newest(hook)).size, text.length);
    refused(await service.send(hook.url, `${text}x`), 413, "payload_too_large");
    const { gzipSync } = await import("node:zlib");
    const headers = { "content-encoding": "gzip" };
    refused(await service.send(hook.url, gzipSync(`${text}x`), { headers }), 413, "payload_too_large");
    assert.equal((await service.requests(hook)).length, 1);
  });

  test("an unknown key is 401, and other methods look whether the address is there", async () => {
    const hook = await service.create("return null");
    for (const url of [`${hook.url}x`, hook.url.slice(0, -1), `${hook.url}/x`])
      refused(await service.send(url, {}), 401, "unauthorized");
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      assert.equal((await service.send(hook.url, {}, { method })).status, 200, method);
    }
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      refused(await service.send(hook.url, {}, { method }), 405, "method_not_allowed");
    }
    assert.deepEqual(await service.requests(hook), []);
  });
});
