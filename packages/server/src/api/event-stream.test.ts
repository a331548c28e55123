import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { manualClock } from "../../test/manual-clock.ts";
import type { StoredEvents } from "./event-feed.ts";
import { NOON, startTestService } from "./test-service.ts";

function stored(names: string[], change: Partial<StoredEvents> = {}, data = "{}"): StoredEvents {
  return {
    env: "dev",
    receivedAt: NOON,
    source: { kind: "key", name: "default" },
    events: names.map((name, i) => [`01EVENT${i}`, name, NOON, null, data, null, null]),
    ...change,
  };
}

/** A stream as it is read; `until` resolves with everything once a text has come. */
async function open(url: string) {
  const abort = new AbortController();
  const answer = await fetch(url, { signal: abort.signal });
  let text = "";
  let ended = false;
  let wake = () => {};
  const reading = (async () => {
    try {
      for await (const chunk of answer.body!) {
        text += Buffer.from(chunk).toString();
        wake();
      }
    } catch {
      // Broken off by this test.
    }
    ended = true;
    wake();
  })();
  return {
    answer,
    reading,
    close: () => abort.abort(),
    async until(part: string): Promise<string> {
      while (!text.includes(part)) {
        if (ended) throw new Error(`ended without ${part}: ${text}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return text;
    },
  };
}

test("a stream gives the events of its environment as they come, by the filters of the list", async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { feed } = service.parts;
  const all = await open(`${service.url}/v1/events/stream`);
  assert.equal(all.answer.headers.get("content-type"), "text/event-stream");
  const some = await open(`${service.url}/v1/events/stream?name=order/*&source=key&q=BERN`);
  await all.until(": connected");
  await some.until(": connected");
  feed.publish(stored(["order/a"], { env: "production" }));
  feed.publish(stored(["user/a"], {}, '{"city":"Bern"}'));
  feed.publish(stored(["order/a"], { source: { kind: "webhook", name: null } }, '{"city":"Bern"}'));
  feed.publish(stored(["order/a"]));
  feed.publish(stored(["order/b"], {}, '{"city":"Bern"}'));
  const message = (await some.until("order/b")).replace(": connected\n\n", "");
  const [, id, data] = /^id: (\S+)\nevent: event\ndata: (.*)\n\n$/.exec(message)!;
  assert.equal(id, "01EVENT0");
  assert.deepEqual(JSON.parse(data!), {
    id: "01EVENT0",
    name: "order/b",
    data: { city: "Bern" },
    ts: new Date(NOON).toISOString(),
    received_at: new Date(NOON).toISOString(),
    idempotency_id: null,
    source: { kind: "key", name: "default" },
    environment: "dev",
    v: null,
    user: null,
    size_bytes: 15,
    run_count: 0,
    runs: [],
  });
  const everything = await all.until("order/b");
  assert.equal(everything.match(/^event: event$/gm)!.length, 4);
  some.close();
  all.close();
});

test("a stream of summaries leaves out what the events carry, and still chooses by it", async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { feed } = service.parts;
  const some = await open(`${service.url}/v1/events/stream?q=BERN&fields=summary`);
  await some.until(": connected");
  feed.publish(stored(["order/a"]));
  feed.publish(stored(["order/b"], {}, '{"city":"Bern ä"}'));
  const message = (await some.until("order/b")).replace(": connected\n\n", "");
  const [, data] = /^id: 01EVENT0\nevent: event\ndata: (.*)\n\n$/.exec(message)!;
  assert.deepEqual(JSON.parse(data!), {
    id: "01EVENT0",
    name: "order/b",
    ts: new Date(NOON).toISOString(),
    received_at: new Date(NOON).toISOString(),
    idempotency_id: null,
    source: { kind: "key", name: "default" },
    environment: "dev",
    size_bytes: 18,
    run_count: 0,
    runs: [],
  });
  some.close();
});

test("a stream is kept alive by comments and ends with the service", async (t) => {
  const clock = manualClock(NOON);
  const service = await startTestService({ clock });
  t.after(() => service.close());
  const stream = await open(`${service.url}/v1/events/stream`);
  await stream.until(": connected");
  clock.advance(15_000);
  await stream.until(": ping");
  service.stopping.abort();
  await stream.until(": the service is stopping");
  await stream.reading;
  assert.equal(service.parts.feed.watched, false);
  assert.equal((await fetch(`${service.url}/v1/events/stream`)).status, 503);
});

test("a client that does not read is dropped, and those that do are not", async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { feed } = service.parts;
  const lazy = connect(Number(new URL(service.url).port), "127.0.0.1");
  lazy.write("GET /v1/events/stream?name=large HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
  await new Promise((resolve) => lazy.once("data", resolve));
  lazy.pause();
  const quick = await open(`${service.url}/v1/events/stream?name=small`);
  await quick.until(": connected");
  const data = JSON.stringify({ text: "x".repeat(200_000) });
  // Sockets hold some megabytes of their own before our buffer fills.
  for (let i = 0; i < 200; i++) feed.publish(stored(["large"], {}, data));
  feed.publish(stored(["small"]));
  await quick.until("small");
  quick.close();
  let text = "";
  lazy.on("data", (chunk) => {
    text = (text + chunk).slice(-200);
  });
  lazy.resume();
  await new Promise((resolve) => lazy.once("close", resolve));
  assert.match(text, /: dropped, because events came faster than they were read/);
});

test("HEAD tells of the stream without opening one", async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const head = await fetch(`${service.url}/v1/events/stream`, { method: "HEAD" });
  assert.equal(head.headers.get("content-type"), "text/event-stream");
  assert.equal(service.parts.feed.watched, false);
});
