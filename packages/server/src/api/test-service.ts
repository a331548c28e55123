/** A service for the tests of the API: a real store and real HTTP; what the API sets going is recorded. */
import { createUlidGenerator, encodeUlid } from "@svc/protocol";
import { testAccess } from "../../test/test-access.ts";
import { createSealer } from "../access/keys/secrets.ts";
import { type Clock, systemClock } from "../clock.ts";
import { loadConfig } from "../config.ts";
import { createListener } from "../http/listener.ts";
import type { Route } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { createIngest } from "../ingest/ingest.ts";
import { silentLogger } from "../observe/log.ts";
import type { RegisteredFunction } from "../registry/registry.ts";
import type { AcceptedEvent } from "../store/commands/accept-events.ts";
import type { Transition } from "../store/commands/apply-transition.ts";
import type { AppRecord, SourceKind } from "../store/records.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Webhook } from "../webhooks/directory.ts";
import { createWebhooks } from "../webhooks/webhooks.ts";
import { createEventFeed } from "./event-feed.ts";
import type { ApiParts, Operations } from "./parts.ts";
import { apiRoutes } from "./routes.ts";

/** Parsed JSON of an answer, whatever its shape. */
export type Json = ReturnType<typeof JSON.parse>;

/** Time of the first event of a test, ms: 2026-05-01T12:00:00Z. */
export const NOON = Date.UTC(2026, 4, 1, 12);

export interface SeededEvent {
  name?: string;
  data?: unknown;
  at?: number;
  idempotencyId?: string;
  extra?: unknown;
  source?: { kind: SourceKind; name: string | null };
  /** Ids of functions to start. */
  runs?: string[];
}

export const shop: AppRecord = {
  env: "dev",
  id: "shop",
  url: "http://127.0.0.1:3000/api/svc",
  dialect: "svc",
  sdk: "svc-js:v0.1.0",
  framework: "express",
  checksum: "c",
  created_at: NOON,
  synced_at: NOON + 60_000,
  error: null,
  last_change: JSON.stringify({
    at: NOON,
    added: ["shop-confirm"],
    changed: [],
    removed: [],
    counts: { added: 1, changed: 0, removed: 0 },
  }),
  archived_at: null,
};

function shopFunction(id: string, name: string, event: string): RegisteredFunction {
  const url = `http://127.0.0.1:3000/api/svc?fnId=${id}&stepId=step`;
  return {
    env: "dev",
    id,
    appId: "shop",
    name,
    url,
    dialect: "svc",
    maxAttempts: 5,
    paused: false,
    config: { id, name, triggers: [{ event }], steps: {} },
  };
}

/** Start it on a free port. */
export async function startTestService(overrides: Partial<ApiParts> = {}) {
  const store = await openSqlite({ dataDir: null, now: Date.now });
  const nextId = createUlidGenerator();
  const { access } = await testAccess("dev", {}, store);
  const calls: unknown[][] = [];
  const running = new Set<string>();
  const stopping = new AbortController();
  const functions = [
    shopFunction("shop-confirm", "Confirm an order", "order/placed"),
    shopFunction("shop-audit", "Audit", "order/*"),
  ];
  const record =
    <T>(name: string, result: T) =>
    async (...args: unknown[]): Promise<T> => {
      calls.push([name, ...args]);
      return result;
    };
  const operations: Operations = {
    send: record("send", ["01NEWEVENT"]),
    replay: record("replay", "01REPLAYED"),
    cancelRun: async (env, runId) => {
      calls.push(["cancelRun", env, runId]);
      const end = { status: "cancelled" as const, output: null, error: null };
      return await store.execute("endRun", { env, runId, now: NOON + 9_000, end, emit: [] });
    },
    rerun: record("rerun", "01RERUN"),
    invoke: record("invoke", { eventId: "01EVENT", runId: "01RUN" }),
    syncUrl: record("syncUrl", { app: shop, modified: true }),
    archiveApp: async (env, id) => {
      calls.push(["archiveApp", env, id]);
      return id === "shop";
    },
    pauseFunction: async (author, env, id, paused) => {
      calls.push(["pauseFunction", author.name, env, id, paused]);
      const fn = functions.find((each) => each.id === id);
      if (fn !== undefined) fn.paused = paused;
      return fn !== undefined;
    },
    discoveryState: () => [
      {
        url: shop.url,
        source: "discovered",
        state: "connected",
        error: null,
        app_id: "shop",
        tried_at: NOON,
      },
    ],
    discoveryScan: () => ({ ports: [3000, 5173], paths: ["/api/svc"], intervalMs: 5_000 }),
    isRunning: (_env, runId) => running.has(runId),
  };
  const clockAt: Clock = { ...systemClock, now: () => NOON + 3_600_000 };
  const ingest = createIngest({
    store,
    registry: { match: () => [], find: () => undefined, dialectOf: () => "svc" },
    executor: { accepted: () => {} },
    clock: clockAt,
    nextId,
    observer: { received: () => {}, duplicates: () => {} },
  });
  const webhooks = await createWebhooks({
    store,
    ingest,
    environments: access.environments,
    sealer: createSealer("test"),
    clock: systemClock,
    logger: silentLogger,
    nextId,
    observer: { finished: () => {}, ended: () => {} },
  });
  const parts: ApiParts = {
    webhooks: { ...webhooks, baseUrl: () => "https://svc.example.com" },
    sealer: createSealer("test"),
    config: { ...loadConfig("dev", [], {}), metricsToken: "metrics-token" },
    version: "1.2.3",
    store,
    access,
    nextId,
    login: null,
    registry: {
      find: (_env, id) => functions.find((fn) => fn.id === id),
      functions: () => functions,
      apps: () => [shop],
    },
    operations,
    feed: createEventFeed(),
    clock: clockAt,
    metrics: { render: () => "svc_up 1\n" },
    stopping: stopping.signal,
    ...overrides,
  };
  const routes: Route[] = apiRoutes(parts);
  const config = { mode: "dev" as const, host: "127.0.0.1", trustProxy: false };
  const router = createRouter(routes, access, { config, logger: silentLogger });
  const listener = createListener({ hot: () => false, router, logger: silentLogger });
  const url = `http://127.0.0.1:${await listener.listen(0, "127.0.0.1")}`;
  let clock = NOON;

  return {
    url,
    /** A request to a webhook, as its address takes it. */
    receive: (webhook: Webhook, body: string) =>
      webhooks.receiver.receive(webhook, {
        method: "POST",
        path: "/e/…",
        query: "",
        rawHeaders: ["Content-Type", "application/json"],
        body: Buffer.from(body),
        address: "127.0.0.1",
      }),
    parts,
    routes,
    calls,
    running,
    stopping,
    store,
    /** Store events, each a second after the one before unless it says when. @returns the ids of events and runs */
    async seed(events: SeededEvent[], env = "dev"): Promise<{ event: string; runs: string[] }[]> {
      const seeded: { event: string; runs: string[] }[] = [];
      for (const event of events) {
        const at = event.at ?? clock;
        clock = Math.max(clock, at) + 1_000;
        const id = event.at === undefined ? nextId(at) : randomId(at);
        const runs = (event.runs ?? []).map(
          (fn) => [nextId(at), fn, "shop", at] as [string, string, string, number],
        );
        const accepted: AcceptedEvent = [
          id,
          event.name ?? "order/placed",
          at,
          event.idempotencyId ?? null,
          JSON.stringify(event.data ?? {}),
          event.extra === undefined ? null : JSON.stringify(event.extra),
          runs.length === 0 ? null : runs,
        ];
        const { kind, name } = event.source ?? { kind: "key", name: "default" };
        await store.execute("acceptEvents", {
          env,
          now: at,
          source: kind,
          sourceName: name,
          events: [accepted],
          seeded: false,
        });
        seeded.push({ event: id, runs: runs.map(([runId]) => runId) });
      }
      return seeded;
    },
    /** Write the outcome of a call for a run's first item, or of another item. */
    async transition(runId: string, change: Partial<Transition>): Promise<void> {
      const done = await store.execute("applyTransition", {
        env: "dev",
        runId,
        appId: "shop",
        functionId: "shop-confirm",
        now: NOON + 2_000,
        item: runId,
        keepItem: false,
        startedAt: NOON + 1_000,
        requestVersion: 1,
        steps: [],
        failedAttempts: [],
        enqueue: [],
        end: null,
        emit: [],
        ...change,
      });
      if (!done) throw new Error("the item is gone");
    },
    async get(path: string): Promise<{ status: number; body: Json }> {
      const answer = await fetch(url + path);
      return { status: answer.status, body: await answer.json() };
    },
    async send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
      const answer = await fetch(url + path, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
    },
    async close(): Promise<void> {
      await listener.close(200);
      await webhooks.stop();
      await store.close();
    },
  };
}

export type TestService = Awaited<ReturnType<typeof startTestService>>;

function randomId(time: number): string {
  return encodeUlid(time, crypto.getRandomValues(new Uint8Array(10)));
}

/** Everything a list gives, page by page. */
export async function readAll(service: TestService, path: string): Promise<Json[]> {
  const rows: Json[] = [];
  let cursor: string | null = null;
  do {
    const separator = path.includes("?") ? "&" : "?";
    const { status, body } = await service.get(
      `${path}${cursor === null ? "" : `${separator}cursor=${cursor}`}`,
    );
    if (status !== 200) throw new Error(JSON.stringify(body));
    rows.push(...body.data);
    cursor = body.page.cursor;
    if (body.page.has_more !== (cursor !== null)) throw new Error("has_more and cursor disagree");
  } while (cursor !== null);
  return rows;
}
