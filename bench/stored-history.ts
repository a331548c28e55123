/**
 * Fills a store with a day of history, by the store's own commands: what a busy service holds when somebody looks at it.
 * Run as a process of its own, so that nothing of it is left in the memory of what is measured.
 */
import { fork } from "node:child_process";
import { createUlidGenerator, encodeUlid } from "@svc/protocol";
import type { AcceptedEvent, PlannedRun } from "../packages/server/src/store/commands/accept-events.ts";
import type { StepWrite, Transition } from "../packages/server/src/store/commands/apply-transition.ts";
import { openSqlite } from "../packages/server/src/store/sqlite/open.ts";
import type { Store } from "../packages/server/src/store/store.ts";

export interface HistoryOptions {
  dataDir: string;
  events: number;
  /** Of which the last one has `steps` steps. */
  runs: number;
  steps: number;
  /** Of the data of the newest event. */
  payloadBytes: number;
}

/** What to look at in it. */
export interface History {
  payloadEventId: string;
  longRunId: string;
}

const ENV = "dev";
const APP = "shop";
/** Nobody answers there: what was stored is looked at, not run. */
const APP_URL = "http://127.0.0.1:9/api/svc";
const DAY_MS = 86_400_000;
/** Newest first there is something to wait for: the last of it was received a minute ago. */
const AGE_MS = 60_000;
const EVENTS_PER_COMMAND = 100;
const COMMANDS_AT_ONCE = 200;
const NAMES = ["order/created", "order/paid", "cart/updated", "page/viewed", "mail/opened", "stock/changed"];
const FUNCTIONS = ["shop-ship", "shop-charge", "shop-greet", "shop-report"];

/** Fill a directory; nothing else may have it open. */
export function storeHistory(options: HistoryOptions): Promise<History> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [JSON.stringify(options)]);
    child.on("message", (history) => resolve(history as History));
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code !== 0) reject(new Error(`storing a history ended with ${code}`));
    });
  });
}

async function fill(options: HistoryOptions): Promise<History> {
  const store = await openSqlite({ dataDir: options.dataDir, now: Date.now });
  const end = Date.now() - AGE_MS;
  const begin = end - DAY_MS + AGE_MS * 10;
  await syncShop(store, begin);
  const nextId = createUlidGenerator();
  const every = Math.floor(options.events / Math.max(1, options.runs));
  let commands: Promise<unknown>[] = [];
  const submit = async (command: Promise<unknown>) => {
    commands.push(command);
    if (commands.length < COMMANDS_AT_ONCE) return;
    await Promise.all(commands);
    commands = [];
  };
  let runsMade = 0;
  for (let first = 0; first < options.events; first += EVENTS_PER_COMMAND) {
    const now = begin + Math.floor(((end - begin) * first) / options.events);
    const events: AcceptedEvent[] = [];
    const ends: Transition[] = [];
    for (let i = first; i < Math.min(options.events, first + EVENTS_PER_COMMAND); i++) {
      let runs: PlannedRun[] | null = null;
      if (i % every === 0 && runsMade < options.runs) {
        const functionId = FUNCTIONS[runsMade % FUNCTIONS.length]!;
        const runId = nextId(now);
        runs = [[runId, functionId, APP, now]];
        ends.push(transition(runId, functionId, now, runsMade++));
      }
      events.push([nextId(now), nameOf(i), now, null, dataOf(i), null, runs]);
    }
    await submit(store.execute("acceptEvents", accept(now, events)));
    for (const each of ends) await submit(store.execute("applyTransition", each));
  }
  await Promise.all(commands);
  const payloadEventId = nextId(end);
  const payload: AcceptedEvent = [
    payloadEventId,
    "report/large",
    end,
    null,
    largeData(options.payloadBytes),
    null,
    null,
  ];
  await store.execute("acceptEvents", accept(end, [payload]));
  const longRunId = await storeLongRun(store, end, options.steps);
  await store.close();
  return { payloadEventId, longRunId };
}

async function syncShop(store: Store, now: number): Promise<void> {
  await store.execute("ensureEnvironments", {
    now,
    environments: [{ id: ENV, name: ENV, type: "development" }],
  });
  const functions = FUNCTIONS.map((id, i) => ({
    id,
    name: id.replace("shop-", ""),
    config: JSON.stringify({
      id,
      name: id,
      triggers: [{ event: NAMES[i] }],
      steps: { step: { id: "step", runtime: { type: "http", url: `${APP_URL}?fnId=${id}&stepId=step` } } },
    }),
  }));
  await store.execute("syncApp", {
    env: ENV,
    now,
    app: {
      id: APP,
      url: APP_URL,
      dialect: "svc",
      sdk: "svc",
      framework: null,
      checksum: "x",
    },
    functions,
  });
}

function accept(now: number, events: AcceptedEvent[]) {
  return { env: ENV, now, source: "key" as const, sourceName: "bench", events, seeded: false };
}

/** Most runs end well, some fail, one in a hundred sleeps until tomorrow. */
function transition(runId: string, functionId: string, now: number, i: number): Transition {
  const took = 20 + (i % 97) * 9;
  const base = {
    env: ENV,
    runId,
    appId: APP,
    functionId,
    now: now + 5 + took,
    item: runId,
    keepItem: false,
    startedAt: now + 5,
    requestVersion: 1,
    failedAttempts: [],
    enqueue: [],
    emit: [],
  };
  if (i % 100 === 99) {
    const wakesAt = Date.now() + DAY_MS;
    const sleep = step("nap", now + 5, null, 0, { op: "Sleep", status: "sleeping", wakes_at: wakesAt });
    const item = { id: encodeUlid(now, randomBytes(i)), kind: "sleep" as const, step_id: sleep.id };
    return { ...base, steps: [sleep], enqueue: [{ ...item, attempt: 0, due_at: wakesAt }], end: null };
  }
  const steps = [step("load the order", now + 5, now + 5 + took, 0)];
  if (i % 17 === 3) {
    const error = JSON.stringify({
      name: "Error",
      message: "the card was declined",
      stack: "Error: the card was declined\n    at charge (/app/charge.ts:12:9)",
    });
    return { ...base, steps, end: { status: "failed", output: null, error } };
  }
  return { ...base, steps, end: { status: "completed", output: '{"done":true}', error: null } };
}

function step(
  name: string,
  from: number,
  to: number | null,
  position: number,
  rest: Partial<StepWrite> = {},
): StepWrite {
  const output = to === null ? null : JSON.stringify({ name, ok: true });
  return {
    id: name,
    name,
    op: "StepRun",
    status: "completed",
    position: to === null ? null : position,
    input: null,
    output,
    error: null,
    queued_at: from,
    started_at: from,
    ended_at: to,
    wakes_at: null,
    ...rest,
  };
}

async function storeLongRun(store: Store, end: number, count: number): Promise<string> {
  const runId = encodeUlid(end, randomBytes(1));
  const planned: PlannedRun = [runId, FUNCTIONS[3]!, APP, end];
  const event: AcceptedEvent = [
    encodeUlid(end, randomBytes(2)),
    "report/due",
    end,
    null,
    "{}",
    null,
    [planned],
  ];
  await store.execute("acceptEvents", accept(end, [event]));
  const steps = Array.from({ length: count }, (_, i) =>
    step(`page ${String(i).padStart(4, "0")}`, end + i * 20, end + i * 20 + 5 + (i % 13), i),
  );
  await store.execute("applyTransition", {
    ...transition(runId, FUNCTIONS[3]!, end, 0),
    now: end + count * 20,
    steps,
  });
  return runId;
}

function nameOf(i: number): string {
  return NAMES[(i * 7) % NAMES.length]!;
}

function dataOf(i: number): string {
  const total = ((i * 37) % 20_000) / 100;
  return `{"order":"o_${i}","total":${total},"city":"${["Bern", "Basel", "Chur"][i % 3]}","note":"${"x".repeat(i % 80)}"}`;
}

function largeData(bytes: number): string {
  const items: unknown[] = [];
  for (let size = 0; size < bytes; ) {
    const item = {
      sku: `SKU-${items.length}`,
      quantity: items.length % 9,
      tags: ["new", "sale"],
      price: 19.5,
    };
    items.push(item);
    size += JSON.stringify(item).length + 1;
  }
  return JSON.stringify({ items });
}

/** Ten bytes that differ from number to number; the same in each run. */
function randomBytes(seed: number): Uint8Array {
  return Uint8Array.from({ length: 10 }, (_, i) => Math.imul(seed + 1, 2_654_435_761 + i * 97) >>> 24);
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  process.send(await fill(JSON.parse(process.argv[2]!)));
  process.disconnect?.();
}
