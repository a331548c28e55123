/**
 * The composition root: builds the parts, wires them, starts them, stops them gracefully. Read it as the picture of
 * the service: http -> ingest -> store -> runs -> apps.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createUlidGenerator } from "@svc/protocol";
import { createAccess } from "./access/access.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Config } from "./config.ts";
import { ServiceError } from "./errors.ts";
import { readBody } from "./http/body.ts";
import { sendError, sendJson } from "./http/errors.ts";
import { createEventsEndpoint } from "./http/events.ts";
import { streamed } from "./http/route.ts";
import { createIngest } from "./ingest/ingest.ts";
import type { Logger } from "./observe/log.ts";
import { createMetrics } from "./observe/metrics.ts";
import { createRegistry } from "./registry/registry.ts";
import { syncRoutes } from "./registry/sync-routes.ts";
import { createAppCaller } from "./runs/call-app.ts";
import { RUN_LIMITS } from "./runs/draft.ts";
import { createExecutor, type Executor } from "./runs/executor.ts";
import { runRoutes } from "./runs/run-routes.ts";
import { startRetention } from "./store/retention.ts";
import { openSqlite } from "./store/sqlite/open.ts";

export interface ServerParts {
  logger: Logger;
  clock?: Clock;
}

export async function startServer(config: Config, { logger, clock = systemClock }: ServerParts) {
  const metrics = createMetrics();
  const nextId = createUlidGenerator();
  const keys = await createAccess(config);
  const store = await openSqlite({
    dataDir: config.dataDir,
    now: clock.now,
    observer: {
      committed(commands, seconds) {
        metrics.commitBatchSize.observe(commands);
        metrics.commitSeconds.observe(seconds);
      },
    },
  });
  let executor: Executor;
  const registry = await createRegistry({
    store,
    logger,
    now: clock.now,
    onArchived: () => {
      executor.cancelOrphans().catch((error) => logger.error("runs of removed functions remain", { error }));
    },
  });
  const caller = createAppCaller({
    timeoutMs: config.callTimeoutMs,
    maxAnswerBytes: RUN_LIMITS.outputBytes + 1024 * 1024,
    connections: config.appConcurrency,
  });
  executor = createExecutor({
    store,
    registry,
    caller,
    clock,
    config,
    logger,
    nextId,
    signingKey: keys.signingKey,
    observer: {
      runStarted: () => metrics.runsStarted.inc(),
      runEnded: (status) => metrics.runsEnded.labels(status).inc(),
      called(outcome, seconds) {
        metrics.appCalls.labels(outcome).inc();
        metrics.appCallSeconds.observe(seconds);
      },
      emitted() {},
    },
  });
  const ingest = createIngest({
    store,
    registry,
    executor,
    clock,
    nextId,
    observer: {
      received(_e, s, ev) {
        metrics.eventsReceived.labels(s.kind).inc(ev.length);
      },
      duplicates: (n) => metrics.eventsDuplicate.inc(n),
    },
  });
  const retention = startRetention({ store, clock, logger, ...config });
  await executor.start();

  const hot = createEventsEndpoint({
    ingest,
    keys,
    clock,
    logger,
    maxRequestBytes: config.maxRequestBytes,
    answered() {},
  });
  const routes = [...syncRoutes({ registry, config }), ...runRoutes(executor)];
  const server = createServer((req, res) => {
    if (hot(req, res)) return;
    (async () => {
      const path = new URL(req.url!, "http://x").pathname;
      for (const r of routes) {
        const names: string[] = [];
        const m = new RegExp(
          `^${r.path.replace(/:(\w+)/g, (_, n) => {
            names.push(n);
            return "([^/]+)";
          })}$`,
        ).exec(path);
        if (!m || r.method !== req.method) continue;
        const text = Buffer.from(await readBody(req, { maxBytes: 5e6 })).toString();
        const a = await r.handle({
          method: req.method!,
          path,
          params: Object.fromEntries(names.map((n, i) => [n, m[i + 1]!])),
          query: {},
          body: text ? JSON.parse(text) : undefined,
          headers: req.headers,
          env: config.mode === "dev" ? "dev" : "production",
          remoteAddress: "",
          requestId: nextId(clock.now()),
          response: res,
        });
        if (a === streamed) return;
        for (const [k, v] of Object.entries(a.headers ?? {})) res.setHeader(k, v);
        if (typeof a.body === "string") {
          res.writeHead(a.status ?? 200);
          res.end(a.body);
        } else sendJson(res, a.status ?? 200, a.body);
        return;
      }
      throw new ServiceError("not_found");
    })().catch((e) => sendError(res, e, logger));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${config.host}:${port}`,
    async close() {
      retention.stop();
      await executor.stop(config.shutdownGraceMs);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
      await caller.close();
      await store.close();
      metrics.close();
    },
  };
}
