/** Functions: how soon and how many. */
import { canonicalJson, type Dialect, signBody } from "@svc/protocol";
import { runLoad } from "../load.ts";
import {
  API_TOKEN,
  ask,
  type BenchProcess,
  EVENT_KEY,
  type Service,
  startProcess,
  startSvc,
} from "../processes.ts";
import type { Row } from "../report.ts";

const SIGNING_KEY = `signkey-prod-${"5a".repeat(32)}`;

/** Rounds, through the service and directly by turns; the middle one counts. */
const ROUNDS = 3;

/** No-op and three-step functions on our SDK, and the time from acceptance to call. */
export async function sdkRows(count: number): Promise<Row[]> {
  const svc = await startSvc({ signingKey: SIGNING_KEY });
  const app = await startProcess("sdk-app", { baseUrl: svc.url, signingKey: SIGNING_KEY });
  await sync(svc, app);
  const { through: noop, direct } = await byTurns(svc, app, "svc", count);
  const three = await runsPerSecond(svc, "bench/three", count / 4);
  const latencies = await callLatencies(svc, app);
  await app.stop();
  await svc.stop();
  return [
    {
      name: "no-op function runs/s, our SDK",
      value: noop,
      baseline: { name: "the same app called directly", value: direct },
      target: { atLeast: 4_000 },
    },
    {
      name: "three-step runs/s, our SDK, checkpointing",
      value: three,
      baseline: { name: "no-op runs/s of this run", value: noop },
      target: { atLeast: 1_500 },
    },
    { name: "sent -> function called, idle, p50 (ms)", value: latencies.p50, target: { atMost: 5 } },
    { name: "sent -> function called, idle, p99 (ms)", value: latencies.p99, target: { atMost: 25 } },
  ];
}

/** No-op functions of the unmodified npm client, against calling that client directly. */
export async function inngestRows(count: number): Promise<Row[]> {
  const svc = await startSvc({ signingKey: SIGNING_KEY });
  const app = await startProcess("inngest-app", { baseUrl: svc.url, signingKey: SIGNING_KEY });
  await sync(svc, app);
  const { through: noop, direct } = await byTurns(svc, app, "inngest", count);
  await app.stop();
  await svc.stop();
  return [
    {
      name: "no-op function runs/s, npm inngest client",
      value: noop,
      baseline: { name: "the same client called directly", value: direct },
      target: { ratio: 0.8 },
    },
  ];
}

/** Runs per second through the service, and what the same app answers when it is called without it. */
async function byTurns(svc: Service, app: BenchProcess, dialect: Dialect, count: number) {
  await runsPerSecond(svc, "bench/noop", count / 10); // warm
  const rounds: { through: number; direct: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const through = await runsPerSecond(svc, "bench/noop", count);
    rounds.push({ through, direct: await directCalls(app, dialect) });
  }
  return rounds.toSorted((a, b) => a.through / a.direct - b.through / b.direct)[Math.floor(ROUNDS / 2)]!;
}

/** Have the service ask the app to sync: it signs the request, which an app in production wants. */
async function sync(svc: Service, app: BenchProcess): Promise<void> {
  const response = await fetch(`${svc.url}/v1/apps`, {
    method: "POST",
    headers: { authorization: `Bearer ${API_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ url: app.url }),
  });
  if (!response.ok) throw new Error(`the app could not sync: ${await response.text()}`);
}

async function send(svc: Service, events: object[]): Promise<void> {
  const response = await fetch(`${svc.url}/e/${EVENT_KEY}`, { method: "POST", body: JSON.stringify(events) });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}

/** Runs that end per second, from the first event sent to the last run ended. */
async function runsPerSecond(svc: Service, name: string, count: number): Promise<number> {
  const before = await runsEnded(svc);
  const startedAt = performance.now();
  for (let sent = 0; sent < count; sent += 100) {
    await send(
      svc,
      Array.from({ length: Math.min(100, count - sent) }, () => ({ name, data: {} })),
    );
  }
  while ((await runsEnded(svc)) < before + count) await new Promise((resolve) => setTimeout(resolve, 20));
  return count / ((performance.now() - startedAt) / 1000);
}

async function runsEnded(svc: Service): Promise<number> {
  const response = await fetch(`${svc.url}/metrics`, { headers: { authorization: `Bearer ${API_TOKEN}` } });
  let ended = 0;
  for (const [, value] of (await response.text()).matchAll(/^svc_runs_ended_total\S* (\d+)$/gm))
    ended += Number(value);
  return ended;
}

/**
 * One event at a time on an idle service, from the moment it is sent to the first line of its function: more than the
 * time from its acceptance, which the sender cannot see, because the call may overtake the answer to the sender.
 */
async function callLatencies(svc: Service, app: BenchProcess): Promise<{ p50: number; p99: number }> {
  const sentAt: number[] = [];
  for (let n = 0; n < 500; n++) {
    sentAt.push(performance.timeOrigin + performance.now());
    await send(svc, [{ name: "bench/noop", data: { n } }]);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const { calledAt } = await ask<{ calledAt: Record<number, number> }>(app.child, "calledAt");
  const waits = sentAt.map((at, n) => (calledAt[n] ?? Number.POSITIVE_INFINITY) - at).sort((a, b) => a - b);
  return { p50: waits[250]!, p99: waits[494]! };
}

/** What the app answers when it is called as the service calls it, signed, but without the service. */
async function directCalls(app: BenchProcess, dialect: Dialect): Promise<number> {
  const event = {
    name: "bench/noop",
    data: {},
    id: "01M7YJPB5A68CMWHC2ZFHYG072",
    ts: 1_700_000_000_000,
    user: {},
  };
  const ctx = {
    run_id: "01M7YJPB5A68CMWHC2ZFHYG073",
    fn_id: "bench-noop",
    env: "dev",
    step_id: "step",
    attempt: 0,
    max_attempts: 5,
    request_id: "r",
    generation_id: 1,
    job_id: "j",
    qi_id: "q",
    disable_immediate_execution: false,
    use_api: false,
    stack: { stack: [], current: 0 },
  };
  const body = canonicalJson({
    version: -1,
    event,
    events: [event],
    steps: {},
    defers: {},
    use_api: false,
    ctx,
  });
  const { requestsPerSecond, refused } = await runLoad({
    port: app.port,
    path: "/api/svc?fnId=bench-noop&stepId=step",
    headers: {
      [`x-${dialect}-server-kind`]: "cloud",
      [`x-${dialect}-req-version`]: "-1",
      [`x-${dialect}-signature`]: await signBody(body, SIGNING_KEY, Date.now()),
    },
    body,
    connections: 32,
    seconds: 3,
  });
  if (Object.keys(refused).length > 0)
    throw new Error(`the app refused direct calls: ${JSON.stringify(refused)}`);
  return requestsPerSecond;
}
