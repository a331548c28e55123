/** More webhook requests than can be transformed or stored: senders are told to come back, what was taken is kept. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { drain } from "./crash.ts";
import { send, sendToWebhook } from "./send.ts";
import { API_TOKEN, freePort, startService } from "./service-process.ts";
import { readStored } from "./stored.ts";
import { createWebhook } from "./webhooks.ts";

/** Together far more than may wait of one webhook, which is 8 MiB. */
const REQUESTS = 120;
const PADDING = "x".repeat(300_000);
const PRODUCERS = 60;

/** Copies of what may wait, on their way between threads, and the garbage of what was refused. */
const MEMORY_BYTES = 400e6;

const AGAIN_MS = 20;

/** Longest wait for refusals: less than the 10 s that the store waits for its turn. */
const PATIENCE_MS = 8_000;

interface Scene {
  url: string;
  dataDir: string;
  /** How many requests were refused, so far. */
  refused(): number;
  /** Send every request until it is acknowledged. */
  flood(hook: string): Promise<void>;
}

/** Let `act` flood a service, and hold what is stored then against what was acknowledged. */
async function underFlood(
  t: TestContext,
  transform: string,
  act: (scene: Scene, hook: string) => Promise<void>,
) {
  const dataDir = mkdtempSync(join(tmpdir(), "svc-flood-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = startService({ port, dataDir, appUrl: `${url}/health` });
  const acknowledged = new Map<string, string[]>();
  const wrong: string[] = [];
  let refused = 0;
  let abandoned = false;
  let largest = 0;

  const produce = async (hook: string, key: string): Promise<void> => {
    for (;;) {
      const outcome = await sendToWebhook(hook, JSON.stringify({ key, padding: PADDING }));
      largest = Math.max(largest, await residentBytes(url));
      if (outcome.kind === "acknowledged") {
        acknowledged.set(key, outcome.ids);
        return;
      }
      // Without `retry-after` it would be wrong, too.
      if (outcome.kind !== "refused") wrong.push(outcome.kind === "wrong" ? outcome.what : outcome.kind);
      else refused++;
      if (abandoned || wrong.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  };
  const flood = async (hook: string): Promise<void> => {
    let next = 0;
    const producer = async () => {
      while (next < REQUESTS) await produce(hook, `flood-${++next}`);
    };
    await Promise.all(Array.from({ length: PRODUCERS }, producer));
  };

  try {
    await service.ready;
    const hook = await createWebhook(url, "flooded", transform);
    const before = await residentBytes(url);
    await act({ url, dataDir, refused: () => refused, flood }, hook);
    assert.deepEqual(wrong, []);
    assert.ok(refused > 0, "nobody was asked to come back");
    assert.ok(largest - before < MEMORY_BYTES, `memory grew from ${before} to ${largest} bytes`);
    await drain(dataDir);
    await service.stop();

    const { requests, events } = readStored(dataDir);
    const keys = requests.map(({ body }) => (JSON.parse(body!) as { key: string }).key);
    assert.deepEqual(
      keys.sort(),
      [...acknowledged.keys()].sort(),
      "kept is what was acknowledged, once each",
    );
    assert.equal(acknowledged.size, REQUESTS);
    assert.deepEqual([...new Set(requests.map(({ status }) => status))], ["accepted"]);
    const stored = new Set(events.map(({ id }) => id));
    for (const ids of acknowledged.values()) for (const id of ids) assert.ok(stored.has(id), `${id} is lost`);
    assert.equal(events.filter(({ name }) => name === "flood/taken").length, REQUESTS);
    t.diagnostic(`${refused} refused, memory from ${before / 1e6} to ${largest / 1e6} MB`);
    rmSync(dataDir, { recursive: true });
  } finally {
    abandoned = true;
    await service.kill();
  }
}

async function residentBytes(url: string): Promise<number> {
  const headers = { authorization: `Bearer ${API_TOKEN}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return Number(/^svc_process_resident_memory_bytes (\d+)$/m.exec(text)![1]);
}

test("a webhook slower than its producers asks them to come back, and loses nothing that it took", async (t) => {
  const transform = `function transform({ key }) {
    for (const until = Date.now() + 25; Date.now() < until; );
    return { name: "flood/taken", data: { key } };
  }`;
  await underFlood(t, transform, async ({ url, flood }, hook) => {
    const flooded = flood(hook);
    // Meanwhile everybody else is served.
    const outcome = await send(url, { name: "other/event", data: {} });
    assert.equal(outcome.kind, "acknowledged");
    await flooded;
  });
});

test("a store that stands still is not flooded, and takes everything when it goes on", async (t) => {
  const transform = 'function transform({ key }) { return { name: "flood/taken", data: { key } }; }';
  await underFlood(t, transform, async ({ dataDir, refused, flood }, hook) => {
    const blocker = new DatabaseSync(join(dataDir, "svc.db"), { timeout: 5_000 });
    blocker.exec("BEGIN IMMEDIATE");
    const flooded = flood(hook);
    const deadline = performance.now() + PATIENCE_MS;
    while (refused() < 2 * PRODUCERS) {
      assert.ok(performance.now() < deadline, "nobody was asked to come back");
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
    blocker.exec("ROLLBACK");
    blocker.close();
    await flooded;
  });
});
