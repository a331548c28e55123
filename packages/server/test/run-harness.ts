/** Executor, store and registry wired as the service wires them, around a scripted app. */
import { createUlidGenerator } from "@svc/protocol";
import { type Clock, systemClock } from "../src/clock.ts";
import { createIngest } from "../src/ingest/ingest.ts";
import { silentLogger } from "../src/observe/log.ts";
import type { RegisteredFunction, Registry } from "../src/registry/registry.ts";
import { createAppCaller } from "../src/runs/call-app.ts";
import { createExecutor } from "../src/runs/executor.ts";
import type { AcceptedEvent } from "../src/store/commands/accept-events.ts";
import type { StoredRunState } from "../src/store/queries/run-state.ts";
import { openSqlite } from "../src/store/sqlite/open.ts";
import type { Store } from "../src/store/store.ts";

export interface HarnessOptions {
  appUrl: string;
  fn?: Partial<RegisteredFunction>;
  store?: Store;
  clock?: Clock;
  retryBaseMs?: number;
  maxStepsPerRun?: number;
  callTimeoutMs?: number;
  signingKey?: string;
}

/** Wire the parts; every event named `t/run` starts the function `app-fn`. */
export async function runHarness(options: HarnessOptions) {
  const store = options.store ?? (await openSqlite({ dataDir: null, now: Date.now }));
  const clock = options.clock ?? systemClock;
  const nextId = createUlidGenerator();
  const fn: RegisteredFunction = {
    env: "dev",
    id: "app-fn",
    appId: "app",
    name: "fn",
    url: `${options.appUrl}?fnId=app-fn&stepId=step`,
    dialect: "svc",
    maxAttempts: 3,
    paused: false,
    config: { id: "app-fn", triggers: [{ event: "t/run" }], steps: {} },
    ...options.fn,
  };
  const functions = new Map([[fn.id, fn]]);
  const registry: Registry = {
    match: (_env, event) => (event.name === "t/run" ? [...functions.values()] : []),
    find: (_env, id) => functions.get(id),
    dialectOf: () => fn.dialect,
  };
  const caller = createAppCaller({
    timeoutMs: options.callTimeoutMs ?? 10_000,
    maxAnswerBytes: 5 * 1024 * 1024,
    connections: 32,
  });
  const emitted: AcceptedEvent[] = [];
  const ended: string[] = [];
  const executor = createExecutor({
    store,
    registry,
    caller,
    clock,
    logger: silentLogger,
    nextId,
    config: {
      mode: "start",
      appConcurrency: 16,
      retryBaseMs: options.retryBaseMs ?? 1,
      maxStepsPerRun: options.maxStepsPerRun ?? 1_000,
    },
    signingKey: () => options.signingKey ?? null,
    environmentName: (env) => env,
    observer: {
      runStarted() {},
      runEnded: (status) => ended.push(status),
      called() {},
      emitted: (_env, _functionId, event) => emitted.push(event),
    },
  });
  const ingest = createIngest({
    store,
    registry,
    executor,
    clock,
    nextId,
    observer: { received() {}, duplicates() {} },
  });
  await executor.start();

  /** Send one event; resolves to the id of the run it starts. */
  const send = async (data: unknown = {}, fields: { ts?: number } = {}): Promise<string> => {
    const event = {
      name: "t/run",
      data: JSON.stringify(data),
      ts: clock.now(),
      idempotencyId: null,
      extra: null,
    };
    const [eventId] = await ingest.accept("dev", { kind: "key", name: null }, [{ ...event, ...fields }], 100);
    const run = await store.query("runsOfEvent", { env: "dev", eventId: eventId! });
    return run[0]!.id;
  };
  const stored = async (runId: string): Promise<StoredRunState> =>
    (await store.query("runState", { env: "dev", runId }))!;
  /** Wait until the run is as wanted. */
  const until = async (
    runId: string,
    wanted: (state: StoredRunState) => boolean,
  ): Promise<StoredRunState> => {
    for (let i = 0; i < 1_000; i++) {
      const state = await stored(runId);
      if (wanted(state)) return state;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`the run never got there: ${JSON.stringify(await stored(runId))}`);
  };
  return {
    store,
    executor,
    functions,
    emitted,
    ended,
    send,
    stored,
    until,
    finished: (runId: string) => until(runId, ({ run }) => run.ended_at !== null),
    async close(graceMs = 1_000) {
      await executor.stop(graceMs);
      await caller.close();
      await store.close();
    },
  };
}
