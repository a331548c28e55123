/** Durable ingestion against bare node:http that parses the same bodies. */
import { type LoadResult, runLoad } from "../load.ts";
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

/** Connections for single events, and for batches. */
const CONNECTIONS = { single: 128, batch: 16 };

/** Rounds, product and baseline by turns; the middle one counts, so that a disturbance of the machine does not. */
const ROUNDS = 3;

/** Requests with one event, and with a hundred. */
export async function ingestRows(seconds: number): Promise<Row[]> {
  const single = JSON.stringify(EVENT);
  const batch = JSON.stringify(Array.from({ length: 100 }, () => EVENT));
  const bare = await startProcess("bare-http");
  const svc = await startSvc();
  const path = `/e/${EVENT_KEY}`;
  const singles: Round[] = [];
  const batches: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [rounds, body, connections] of [
      [singles, single, CONNECTIONS.single],
      [batches, batch, CONNECTIONS.batch],
    ] as const) {
      const baseline = await runLoad({ port: bare.port, path: "/", body, connections, seconds });
      rounds.push({ baseline, ours: await runLoad({ port: svc.port, path, body, connections, seconds }) });
    }
  }
  await bare.stop();
  await svc.stop();
  const { baseline, ours } = middle(singles);
  const { baseline: bareBatch, ours: ourBatch } = middle(batches);

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
      value: ourBatch.requestsPerSecond * 100,
      baseline: { name: "bare node:http", value: bareBatch.requestsPerSecond * 100 },
      target: { atLeast: 120_000 },
      detail: { p50_ms: ourBatch.p50, p99_ms: ourBatch.p99, refused: ourBatch.refused },
    },
  ];
}

interface Round {
  baseline: LoadResult;
  ours: LoadResult;
}

/** The round whose share of its baseline is the middle one. */
function middle(rounds: Round[]): Round {
  const share = ({ ours, baseline }: Round) => ours.requestsPerSecond / baseline.requestsPerSecond;
  return rounds.toSorted((a, b) => share(a) - share(b))[Math.floor(rounds.length / 2)]!;
}
