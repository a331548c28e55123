/** A webhook whose transform never ends, and what everybody else feels of it. */
import { runLoad } from "../load.ts";
import { type PacedResult, runPaced } from "../paced-load.ts";
import { EVENT_KEY, type Service, startSvc } from "../processes.ts";
import type { Row } from "../report.ts";
import {
  type BenchWebhook,
  createWebhook,
  PICKING_TRANSFORM,
  pickedBody,
  SPINNING_TRANSFORM,
} from "../webhooks.ts";

/** Requests per second. */
const EVENTS = 500;
const GOOD = 200;
const HOSTILE = 20;

/**
 * A webhook that runs out of time five times in a row, a second each, is not called for a while. So a round is shorter
 * than that and has a hostile webhook of its own: one that spins all the time.
 */
const ROUND_S = 4;
const ROUNDS = 7;

const EVENT = JSON.stringify({ name: "shop/order.created", data: { order: "o_81723", total: 129.9 } });
const BODY = pickedBody(512);

/** Latency of events and of a good webhook, and the most that the good one takes: beside the hostile one by without. */
export async function hostileRows(): Promise<Row[]> {
  const svc = await startSvc();
  const good = await createWebhook(svc, "good", PICKING_TRANSFORM);
  await paced(svc, good, false); // warm
  const rounds: { quiet: Round; beside: Round }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // The order changes, so that what a round leaves behind is nobody's advantage.
    const first = await measure(svc, good, round % 2 === 1);
    const second = await measure(svc, good, round % 2 === 0);
    rounds.push(round % 2 === 1 ? { beside: first, quiet: second } : { quiet: first, beside: second });
  }
  await svc.stop();

  const row = (name: string, of: (round: Round) => number, target: Row["target"]): Row => {
    const ratios = rounds.map(({ quiet, beside }) => of(beside) / of(quiet)).sort((a, b) => a - b);
    const all = (which: "quiet" | "beside") => rounds.map((each) => Number(of(each[which]).toFixed(2)));
    return {
      name: `${name}, beside a spinning webhook / without`,
      value: ratios[Math.floor(ratios.length / 2)]!,
      target,
      detail: {
        ratios: ratios.map((ratio) => Number(ratio.toFixed(2))),
        beside: all("beside"),
        without: all("quiet"),
      },
    };
  };
  return [
    row("events p50", ({ events }) => events.p50, {}),
    row("events p99", ({ events }) => events.p99, { atMost: 1.5 }),
    row("good webhook p50", ({ good }) => good.p50, {}),
    row("good webhook p99", ({ good }) => good.p99, {}),
    row("good webhook requests/s", ({ mostPerSecond }) => mostPerSecond, {}),
  ];
}

interface Round {
  events: PacedResult;
  good: PacedResult;
  /** Requests per second of the good webhook, under as many as it takes. */
  mostPerSecond: number;
}

async function measure(svc: Service, good: BenchWebhook, hostile: boolean): Promise<Round> {
  const [events, ofGood] = await paced(svc, good, hostile);
  const { path } = good;
  const load = runLoad({ port: svc.port, path, body: BODY, connections: 64, seconds: ROUND_S - 1 });
  const [{ requestsPerSecond, refused }] = await Promise.all([
    load,
    hostile ? spin(svc, ROUND_S) : Promise.resolve(),
  ]);
  expectAll("200", { ...refused }, events!.answers, ofGood!.answers);
  return { events: events!, good: ofGood!, mostPerSecond: requestsPerSecond };
}

async function paced(svc: Service, good: BenchWebhook, hostile: boolean): Promise<PacedResult[]> {
  const streams = [
    { path: `/e/${EVENT_KEY}`, body: EVENT, rate: EVENTS },
    { path: good.path, body: BODY, rate: GOOD },
  ];
  const [results] = await Promise.all([
    runPaced({ port: svc.port, seconds: ROUND_S, streams }),
    hostile ? spin(svc, ROUND_S) : Promise.resolve(),
  ]);
  return results;
}

/** Send to a webhook that spins. It answers late, and this does not wait for the last of them. */
async function spin(svc: Service, seconds: number): Promise<void> {
  const { path } = await createWebhook(svc, "hostile", SPINNING_TRANSFORM);
  await runPaced({ port: svc.port, seconds, streams: [{ path, body: BODY, rate: HOSTILE }] });
}

function expectAll(status: string, ...answers: Record<string, number>[]): void {
  const others = answers.flatMap((each) => Object.entries(each).filter(([key]) => key !== status));
  if (others.length > 0) throw new Error(`other answers than ${status}: ${JSON.stringify(others)}`);
}
