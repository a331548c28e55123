/** Webhook requests from the producer's request to the stored event, against less that could be done with them. */
import { type LoadResult, runLoad, WARM_UP_S } from "../load.ts";
import {
  type BenchProcess,
  cpuSeconds,
  EVENT_KEY,
  type Service,
  startProcess,
  startSvc,
} from "../processes.ts";
import type { Row } from "../report.ts";
import { createWebhook, outcomes, PICKING_TRANSFORM, pickedBody } from "../webhooks.ts";

const CONNECTIONS = 128;

/** Rounds, product and baselines by turns; the middle one counts. */
const ROUNDS = 5;

const SIZES = [
  { size: "0.5 KB", bytes: 512, target: { atLeast: 4_000 } },
  { size: "5 KB", bytes: 5 * 1024, target: {} },
];

/** Kept, transformed and stored as an event; beside bare node:http and beside events of the same size. */
export async function webhookRows(seconds: number): Promise<Row[]> {
  const bare = await startProcess("bare-http");
  const svc = await startSvc();
  const rows: Row[] = [];
  for (const { size, bytes, target } of SIZES) {
    const rounds = await byTurns(bare, svc, bytes, seconds);
    const { webhook, event, nothing } = middle(rounds);
    const shares = rounds.map(({ webhook, event }) => webhook.requestsPerSecond / event.requestsPerSecond);
    const detail = {
      p50_ms: webhook.p50,
      p99_ms: webhook.p99,
      refused: webhook.refused,
      service_cpu_us: { webhook: Math.round(webhook.cpuUs), event: Math.round(event.cpuUs) },
      each_round: rounds.map(({ webhook }) => Math.round(webhook.requestsPerSecond)),
      of_events_each_round: shares.map((share) => Number(share.toFixed(3))),
    };
    const value = webhook.requestsPerSecond;
    rows.push(
      {
        name: `webhook requests/s, ${size}, durable, with their events`,
        value,
        baseline: { name: "bare node:http", value: nothing.requestsPerSecond },
        target,
        detail,
      },
      {
        name: `the same, ${size}, beside POST /e/<key>`,
        value,
        baseline: { name: "events sent directly", value: event.requestsPerSecond },
        target: {},
      },
    );
  }
  await bare.stop();
  await svc.stop();
  return rows;
}

/** With what the service spent on each request, µs on all its threads: a busy machine disturbs that least. */
type Measured = LoadResult & { cpuUs: number };

interface Round {
  webhook: Measured;
  event: Measured;
  nothing: LoadResult;
}

async function byTurns(bare: BenchProcess, svc: Service, bytes: number, seconds: number): Promise<Round[]> {
  const webhook = await createWebhook(svc, `picks ${bytes}`, PICKING_TRANSFORM);
  const body = pickedBody(bytes);
  const event = JSON.stringify({ name: "shop/orders.created", data: { ...JSON.parse(body) } });
  const load = (port: number, path: string, body: string) =>
    runLoad({ port, path, body, connections: CONNECTIONS, seconds });
  const measured = async (path: string, body: string): Promise<Measured> => {
    const before = cpuSeconds(svc);
    const result = await load(svc.port, path, body);
    // The warm-up was work, too.
    const requests = result.requestsPerSecond * (seconds + WARM_UP_S);
    return { ...result, cpuUs: ((cpuSeconds(svc) - before) * 1e6) / requests };
  };
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      nothing: await load(bare.port, "/", body),
      event: await measured(`/e/${EVENT_KEY}`, event),
      webhook: await measured(webhook.path, body),
    });
  }
  // An answer of 202 counts as one of 200 above: none of them may have been.
  const { accepted = 0, ...others } = await outcomes(svc, webhook);
  if (accepted === 0 || Object.keys(others).length > 0) {
    throw new Error(`webhook requests that were not accepted: ${JSON.stringify(others)}`);
  }
  return rounds;
}

function middle(rounds: Round[]): Round {
  const sorted = rounds.toSorted((a, b) => a.webhook.requestsPerSecond - b.webhook.requestsPerSecond);
  return sorted[Math.floor(sorted.length / 2)]!;
}
