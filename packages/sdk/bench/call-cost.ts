/**
 * What the SDK costs per call: a no-op function, one step with its checkpoint answered in memory, and replays
 * of memoised steps, all through the neutral handler without a socket.
 * Run: node packages/sdk/bench/call-cost.ts
 */
import { hashStepId, signBody } from "@svc/protocol";
import { Client } from "../src/index.ts";
import { createAppHandler } from "../src/serve/handler.ts";

const KEY = "abcdef0123456789abcdef0123456789";
const ROUNDS = 20_000;

const answer = (): Promise<Response> => Promise.resolve(new Response("", { status: 200 }));

function handlerOf(signed: boolean) {
  const client = new Client({
    id: "app",
    isDev: !signed,
    signingKey: KEY,
    baseUrl: "http://svc",
    fetch: answer,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const functions = [
    client.createFunction({ id: "noop" }, "e", () => {}),
    client.createFunction({ id: "log" }, "e", ({ logger }) => logger.info("packing", { orderId: "42" })),
    client.createFunction({ id: "step" }, "e", ({ step }) => step.run("a", () => 1)),
    client.createFunction({ id: "many" }, "e", async ({ step }) => {
      for (let i = 0; i < 100; i++) await step.run(`s${i}`, () => i);
    }),
  ];
  return createAppHandler({ client, functions }, "bench");
}

function bodyFor(steps: string[]): string {
  const event = { name: "e", id: "01M7Y9Y57HSY6R0V39MRS9C80B", data: { x: 1 }, ts: 1, user: {} };
  return JSON.stringify({
    version: 2,
    event,
    events: [event],
    steps: Object.fromEntries(steps.map((id) => [hashStepId(id), { data: 1 }])),
    use_api: false,
    ctx: {
      run_id: "01M7Y9Y57HSY6R0V39MRS9C80B",
      fn_id: "f",
      attempt: 0,
      max_attempts: 5,
      stack: { stack: steps.map((id) => hashStepId(id)), current: steps.length },
    },
  });
}

const many = Array.from({ length: 100 }, (_, i) => `s${i}`);
const cases: [string, string, string[], boolean, number][] = [
  ["no-op", "noop", [], false, ROUNDS],
  ["no-op, signed", "noop", [], true, ROUNDS],
  ["one log line, sent", "log", [], false, ROUNDS],
  ["one step and its checkpoint", "step", [], false, ROUNDS],
  ["replay of 100 steps", "many", many, false, ROUNDS / 20],
];
for (const [name, fn, steps, signed, rounds] of cases) {
  const handler = handlerOf(signed);
  const body = bodyFor(steps);
  const headers = { "x-svc-logs": "1", "x-svc-signature": await signBody(body, KEY, Date.now()) };
  const request = { method: "POST", url: `http://app/api/svc?fnId=app-${fn}&stepId=step`, headers, body };
  for (let i = 0; i < rounds / 4; i++) await handler(request);
  const began = performance.now();
  for (let i = 0; i < rounds; i++) await handler(request);
  const each = ((performance.now() - began) * 1000) / rounds;
  console.log(`${name.padEnd(32)} ${each.toFixed(1).padStart(8)} µs`);
}
