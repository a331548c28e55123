/** `POST /e/<event_key>` as senders see it: every row of the contract over real HTTP against the whole service. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { type EventIdSeed, formatEventIdSeed, isUlid, seededEventId } from "@svc/protocol";
import { API_TOKEN, startService, type TestService } from "../service.ts";

const KEY = "contract-event-key";

describe("POST /e/<event_key>", () => {
  let service: TestService;
  before(async () => {
    service = await startService("start", ["--event-key", KEY]);
  });
  after(() => service.close());

  interface Answer {
    status: number;
    headers: Headers;
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    body: any;
  }
  const post = async (
    body: unknown,
    {
      key = KEY,
      headers = {},
      method = "POST",
    }: { key?: string; headers?: Record<string, string>; method?: string } = {},
  ): Promise<Answer> => {
    const raw = typeof body === "string" || body instanceof Uint8Array;
    const response = await fetch(`${service.url}/e/${key}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(method === "GET" || method === "HEAD"
        ? {}
        : { body: (raw ? body : JSON.stringify(body)) as string }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : JSON.parse(text),
    };
  };
  const event = (fields: object = {}) => ({ name: "shop/order.created", data: { n: 1 }, ...fields });
  const count = async (filter: string) =>
    (await service.api<{ data: unknown[] }>(`/v1/events?limit=200&${filter}`)).data.length;
  const refused = (answer: Answer, status: number, code: string, detail: object = {}) => {
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.equal(answer.body.status, status);
    assert.equal(answer.body.code, code);
    assert.equal(typeof answer.body.error, "string");
    for (const [key, value] of Object.entries(detail)) assert.equal(answer.body[key], value, key);
    assert.match(answer.headers.get("content-type") ?? "", /application\/json/);
  };

  test("one event is answered with its id once it is stored", async () => {
    const { status, body } = await post(event({ name: "one/stored" }));
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ["ids", "status"]);
    assert.equal(body.status, 200);
    assert.ok(isUlid(body.ids[0]));
    assert.equal((await service.event(body.ids[0])).name, "one/stored");
  });

  test("many events are answered with their ids in order", async () => {
    const { body } = await post(Array.from({ length: 50 }, (_, n) => event({ data: { n } })));
    assert.equal(body.ids.length, 50);
    const [third, last] = await Promise.all([service.event(body.ids[2]), service.event(body.ids[49])]);
    assert.deepEqual([third.data, last.data], [{ n: 2 }, { n: 49 }]);
  });

  test("NDJSON and CloudEvents are read by their content type", async () => {
    const lines = `${JSON.stringify(event({ name: "nd/1" }))}\n${JSON.stringify(event({ name: "nd/2" }))}\n`;
    const nd = await post(lines, { headers: { "content-type": "application/x-ndjson" } });
    assert.equal(nd.body.ids.length, 2);
    const cloud = { specversion: "1.0", id: "1", source: "/s", type: "cloud/event", data: [1], subject: "x" };
    const one = await post(cloud, { headers: { "content-type": "application/cloudevents+json" } });
    const stored = await service.api<{
      data: { data: unknown; idempotency_id: string; cloudevent: { subject: string } };
    }>(`/v1/events/${one.body.ids[0]}`);
    assert.deepEqual(stored.data.data, { value: [1] });
    assert.equal(stored.data.idempotency_id, "/s#1");
    assert.equal(stored.data.cloudevent.subject, "x");
    const binary = await post('{"x":1}', {
      headers: { "ce-specversion": "1.0", "ce-id": "9", "ce-source": "/s", "ce-type": "cloud/binary" },
    });
    assert.equal((await service.event(binary.body.ids[0])).name, "cloud/binary");
    const batch = await post([cloud, { ...cloud, id: "2" }], {
      headers: { "content-type": "application/cloudevents-batch+json" },
    });
    assert.deepEqual(batch.body.ids[0], one.body.ids[0]);
  });

  test("compressed bodies are taken in every encoding", async () => {
    const body = Buffer.from(JSON.stringify(event({ name: "packed/event" })));
    const encodings: [string, Uint8Array][] = [
      ["gzip", gzipSync(body)],
      ["deflate", deflateSync(body)],
      ["deflate", deflateRawSync(body)],
      ["br", brotliCompressSync(body)],
      ["zstd", zstdCompressSync(body)],
      ["identity", body],
    ];
    for (const [encoding, packed] of encodings) {
      const { status } = await post(packed, { headers: { "content-encoding": encoding } });
      assert.equal(status, 200, encoding);
    }
    refused(await post(body, { headers: { "content-encoding": "snappy" } }), 415, "unsupported_encoding");
    assert.equal((await post("no gzip", { headers: { "content-encoding": "gzip" } })).status, 400);
  });

  test("a body that is not JSON is refused", async () => {
    for (const body of ["", "{", "nope", Buffer.from([0xff, 0xfe])])
      refused(await post(body), 400, "invalid_json");
  });

  test("a bad event is refused with its place and field, and nothing of its batch is stored", async () => {
    refused(await post(event({ name: "" })), 400, "invalid_event", { field: "name", index: 0 });
    refused(await post({ name: "no/data" }), 400, "invalid_event", { field: "data" });
    refused(await post(event({ id: 7 })), 400, "invalid_event", { field: "id" });
    refused(await post(event({ ts: "soon" })), 400, "invalid_event", { field: "ts" });
    refused(await post(event({ name: "svc/function.finished" })), 400, "invalid_event", { field: "name" });
    refused(await post([]), 400, "invalid_event");
    const batch = [event({ name: "half/batch" }), event({ name: "half/batch", data: null })];
    refused(await post(batch), 400, "invalid_event", { index: 1, field: "data" });
    assert.equal(await count("name=half/batch"), 0);
  });

  test("an unknown key is refused, whatever the body", async () => {
    for (const key of ["nope", "", `${KEY}x`, "%ff", "a".repeat(5_000)]) {
      refused(await post(event(), { key }), 401, "unauthorized");
    }
    refused(await post("{", { key: "nope" }), 401, "unauthorized");
  });

  test("a key may not be used for another environment than its own", async () => {
    for (const header of ["x-svc-env", "x-inngest-env"]) {
      refused(await post(event(), { headers: { [header]: "staging" } }), 403, "forbidden");
      assert.equal((await post(event(), { headers: { [header]: "production" } })).status, 200);
    }
  });

  test("other methods are refused, and say which is allowed", async () => {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const answer = await post("", { method });
      refused(answer, 405, "method_not_allowed");
      assert.match(answer.headers.get("allow") ?? "", /POST/);
    }
  });

  test("the limits hold for decoded bytes and for the number of events", async () => {
    const filled = (bytes: number) => {
      const empty = JSON.stringify(event({ data: { x: "" } })).length;
      return JSON.stringify(event({ data: { x: "x".repeat(bytes - empty) } }));
    };
    assert.equal((await post(filled(512 * 1024))).status, 200);
    refused(await post(filled(512 * 1024 + 1)), 413, "payload_too_large", { limit: 512 * 1024 });
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, " "));
    refused(await post(bomb, { headers: { "content-encoding": "gzip" } }), 413, "payload_too_large");
    const many = JSON.stringify(Array.from({ length: 5_001 }, () => ({ name: "a", data: {} })));
    refused(await post(many), 413, "payload_too_large");
  });

  test("duplicates get the first event's id at their place, across names and inside one batch", async () => {
    const first = await post(event({ id: "dup-1" }));
    const again = await post([
      event(),
      event({ id: "dup-1", name: "other/name" }),
      event({ id: "dup-2" }),
      event({ id: "dup-2" }),
    ]);
    assert.equal(again.body.ids[1], first.body.ids[0]);
    assert.equal(again.body.ids[2], again.body.ids[3]);
    assert.equal(new Set(again.body.ids).size, 3);
    assert.equal(await count("name=other/name"), 0);
  });

  test("of many concurrent events with one id one is stored, and all get its id", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => post(event({ id: "race", name: "dup/race" }))),
    );
    assert.equal(new Set(answers.map(({ body }) => body.ids[0])).size, 1);
    assert.equal(await count("name=dup/race"), 1);
  });

  test("a seed fixes the ids, so a repeated request stores nothing twice", async () => {
    for (const header of ["x-svc-event-id-seed", "x-inngest-event-id-seed"]) {
      const seed: EventIdSeed = { time: Date.now(), bytes: crypto.getRandomValues(new Uint8Array(10)) };
      const events = [event({ name: `seeded/${header}` }), event({ name: `seeded/${header}` })];
      const headers = { [header]: formatEventIdSeed(seed) };
      const answers = [await post(events, { headers }), await post(events, { headers })];
      for (const { body } of answers)
        assert.deepEqual(body.ids, [seededEventId(seed, 0), seededEventId(seed, 1)]);
      assert.equal(await count(`name=seeded/${header}`), 2);
    }
    const headers = { "x-svc-event-id-seed": "nonsense" };
    refused(await post(event(), { headers }), 400, "invalid_request", { field: "event-id-seed" });
  });

  test("an event that a step sends has its run as source", async () => {
    const sourceOf = async (runId: string) => {
      const { body } = await post(event(), { headers: { "x-svc-run-id": runId } });
      return (await service.api<{ data: { source: object } }>(`/v1/events/${body.ids[0]}`)).data.source;
    };
    const runId = "01M7YJPB5A68CMWHC2ZFHYG073";
    assert.deepEqual(await sourceOf(runId), { kind: "step", name: runId });
    assert.deepEqual(await sourceOf("anything"), { kind: "key", name: "default" });
  });

  test("ts is kept, and its absence means the time of receipt", async () => {
    const read = async (fields: object) => {
      const { body } = await post(event(fields));
      return (await service.api<{ data: { ts: string; received_at: string } }>(`/v1/events/${body.ids[0]}`))
        .data;
    };
    assert.equal(Date.parse((await read({ ts: 1_600_000_000_000 })).ts), 1_600_000_000_000);
    const now = await read({ ts: 0 });
    assert.ok(Math.abs(Date.parse(now.ts) - Date.parse(now.received_at)) < 1_000);
  });

  test("pages of every origin may send", async () => {
    const { headers } = await post(event(), { headers: { origin: "https://shop.example" } });
    assert.equal(headers.get("access-control-allow-origin"), "*");
    const refusal = await post("{", { headers: { origin: "https://shop.example" } });
    assert.equal(refusal.headers.get("access-control-allow-origin"), "*");
    const preflight = await fetch(`${service.url}/e/${KEY}`, {
      method: "OPTIONS",
      headers: {
        origin: "https://shop.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-svc-env",
      },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
    assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /POST/);
    assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /x-svc-env|\*/);
  });

  test("replayed, an event is a new event with a new id", async () => {
    const { body } = await post(event({ name: "replay/me", id: "replay-1" }));
    const response = await fetch(`${service.url}/v1/events/${body.ids[0]}/replay`, {
      method: "POST",
      headers: { authorization: `Bearer ${API_TOKEN}` },
    });
    assert.ok(response.ok, await response.text());
    assert.equal(await count("name=replay/me"), 2);
  });
});

describe("POST /e in development", () => {
  test("any key will do, and none as well", async () => {
    const service = await startService("dev");
    try {
      for (const path of ["/e/dev", "/e/anything", "/e", "/e/"]) {
        const response = await fetch(service.url + path, {
          method: "POST",
          body: '{"name":"a/b","data":{}}',
        });
        assert.equal(response.status, 200, path);
      }
    } finally {
      await service.close();
    }
  });
});
