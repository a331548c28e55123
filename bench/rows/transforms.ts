/** Transforms of webhooks in their sandbox, one thread, against the same function in Node with the same JSON around it. */
import { createSandbox, type Sandbox } from "../../packages/server/src/webhooks/sandbox/sandbox.ts";
import type { Row } from "../report.ts";

/** What a transform typically does: pick, rename, reshape. */
const SOURCE = `function transform(evt, headers) {
  return {
    name: "shop/" + evt.type,
    id: evt.id,
    data: { items: evt.items.map(({ sku, n, price }) => ({ sku, total: n * price })), source: headers["x-source"] },
  };
}`;

/** Payload in KB, and transforms/s that one thread has to reach. */
const SIZES = [
  { kilobytes: 0.5, atLeast: 4_000 },
  { kilobytes: 5, atLeast: 1_000 },
  { kilobytes: 50, atLeast: 100 },
];

/** Webhooks that take turns: each call then finds the memory of another one. */
const WEBHOOKS = 8;
/** Calls that wait at any time. */
const AT_ONCE = 200;

/** Rounds, sandbox and Node by turns; the middle one counts. */
const ROUNDS = 3;

/** Transforms per second for small, middle and large payloads. */
export async function transformRows(seconds: number): Promise<Row[]> {
  const sandbox = createSandbox({ workers: 1 });
  const rows: Row[] = [];
  for (const { kilobytes, atLeast } of SIZES) {
    const evt = payload(kilobytes * 1_000);
    await sandboxed(sandbox, evt, 500); // warm
    inNode(evt, 500);
    const rounds: { ours: number; baseline: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const ms = (seconds * 1_000) / ROUNDS;
      rounds.push({ ours: await sandboxed(sandbox, evt, ms), baseline: inNode(evt, ms / 4) });
    }
    const { ours, baseline } = rounds.toSorted((a, b) => a.ours / a.baseline - b.ours / b.baseline)[1]!;
    rows.push({
      name: `transforms/s on one thread, ${kilobytes} KB payload`,
      value: ours,
      baseline: { name: "the same function in Node", value: baseline },
      target: { atLeast },
      detail: { bytes: evt.length, us_each: 1e6 / ours },
    });
  }
  await sandbox.close();
  return rows;
}

function payload(bytes: number): string {
  const event = { type: "order.created", id: "o_81723", items: [] as object[] };
  while (JSON.stringify(event).length < bytes) {
    const n = event.items.length;
    event.items.push({ sku: `sku-${n}`, n: (n % 3) + 1, price: 9.9, title: "A thing that is sold" });
  }
  return JSON.stringify(event);
}

const HEADERS = JSON.stringify({
  "content-type": "application/json",
  "user-agent": "producer/1.0",
  "x-source": "shop",
});

/** Calls per second with so many waiting at any time. */
async function sandboxed(sandbox: Sandbox, evt: string, ms: number): Promise<number> {
  const startedAt = performance.now();
  let calls = 0;
  const caller = async () => {
    while (performance.now() - startedAt < ms) {
      const webhookId = `webhook ${calls++ % WEBHOOKS}`;
      const job = {
        webhookId,
        version: 1,
        source: SOURCE,
        evt,
        headers: HEADERS,
        queryParams: "{}",
        raw: evt,
      };
      const outcome = await sandbox.run(job);
      if (outcome.status === "failed") throw new Error(outcome.error.message);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return calls / ((performance.now() - startedAt) / 1_000);
}

function inNode(evt: string, ms: number): number {
  const transform = new Function(`return ${SOURCE}`)() as (...args: unknown[]) => unknown;
  const startedAt = performance.now();
  let calls = 0;
  let bytes = 0;
  while (performance.now() - startedAt < ms) {
    for (let n = 0; n < 20; n++, calls++) {
      bytes += JSON.stringify(transform(JSON.parse(evt), JSON.parse(HEADERS), {}, evt)).length;
    }
  }
  if (bytes === 0) throw new Error("Nothing was transformed.");
  return calls / ((performance.now() - startedAt) / 1_000);
}
