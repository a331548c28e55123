/** Durable ingestion against bare node:http that parses the same bodies. */
import { runLoad } from "../load.ts";
import { EVENT_KEY, startProcess, startSvc } from "../processes.ts";
import type { Row } from "../report.ts";

const EVENT = {
  name: "shop/order.created",
  data: {
    order: "o_81723",
    total: 129.9,
    currency: "EUR",
    items: [
      { sku: "a-1", n: 2 },
      { sku: "b-7", n: 1 },
    ],
  },
};

/** Requests with one event, and with a hundred. */
export async function ingestRows(seconds: number): Promise<Row[]> {
  const single = JSON.stringify(EVENT);
  const batch = JSON.stringify(Array.from({ length: 100 }, () => EVENT));
  const bare = await startProcess("bare-http");
  const baseline = await runLoad({ port: bare.port, path: "/", body: single, connections: 128, seconds });
  const bareBatch = await runLoad({ port: bare.port, path: "/", body: batch, connections: 16, seconds });
  await bare.stop();

  const svc = await startSvc();
  const path = `/e/${EVENT_KEY}`;
  const ours = await runLoad({ port: svc.port, path, body: single, connections: 128, seconds });
  const batches = await runLoad({ port: svc.port, path, body: batch, connections: 16, seconds });
  await svc.stop();

  return [
    {
      name: "single-event requests/s, durable",
      value: ours.requestsPerSecond,
      baseline: { name: "bare node:http", value: baseline.requestsPerSecond },
      target: { ratio: 0.6 },
      detail: { p50_ms: ours.p50, p99_ms: ours.p99, refused: ours.refused },
    },
    {
      name: "events/s in batches of 100, durable",
      value: batches.requestsPerSecond * 100,
      baseline: { name: "bare node:http", value: bareBatch.requestsPerSecond * 100 },
      target: { atLeast: 120_000 },
      detail: { p50_ms: batches.p50, p99_ms: batches.p99, refused: batches.refused },
    },
  ];
}
