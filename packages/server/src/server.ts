/**
 * The composition root: builds the parts, wires them, starts them, stops them gracefully. Read it as the picture of
 * the service: http -> ingest -> store -> runs -> apps.
 */
import { fileURLToPath } from "node:url";
import { createUlidGenerator } from "@svc/protocol";
import { createAccess } from "./access/access.ts";
import { DEV_ENVIRONMENT, PRODUCTION_ENVIRONMENT } from "./access/environments.ts";
import { createRateLimiter } from "./access/gate/rate-limit.ts";
import { masterKey } from "./access/keys/master-key.ts";
import { createSealer } from "./access/keys/secrets.ts";
import { createLoginGuard } from "./access/people/login-guard.ts";
import { createPasswords, PASSWORD_COST, type ScryptCost } from "./access/people/passwords.ts";
import { createSetupLink } from "./access/people/setup-link.ts";
import { baseUrl, requestOrigin } from "./access/request-origin.ts";
import { startUpkeep } from "./access/upkeep.ts";
import { createEventFeed } from "./api/event-feed.ts";
import { apiRoutes } from "./api/routes.ts";
import { version } from "./cli/version.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Config } from "./config.ts";
import { createDashboard } from "./http/dashboard.ts";
import { createEventsEndpoint } from "./http/events.ts";
import { createListener } from "./http/listener.ts";
import { createRouter } from "./http/router.ts";
import { createWebhookEndpoint } from "./http/webhooks.ts";
import { createIngest } from "./ingest/ingest.ts";
import type { Logger } from "./observe/log.ts";
import { createMetrics } from "./observe/metrics.ts";
import { observeExecutor, observeIngest, observeStore, observeWebhooks } from "./observe/observers.ts";
import { createOperations } from "./operations.ts";
import { guardedConnector } from "./registry/address-guard.ts";
import { createAppClient } from "./registry/app-client.ts";
import { createDiscovery } from "./registry/discovery.ts";
import { createRegistry } from "./registry/registry.ts";
import { createSyncApp } from "./registry/sync-app.ts";
import { serverKind, syncRoutes } from "./registry/sync-routes.ts";
import { createAppCaller } from "./runs/call-app.ts";
import { callbackRoutes } from "./runs/callback-routes.ts";
import { MAX_ANSWER_BYTES } from "./runs/draft.ts";
import { createExecutor } from "./runs/executor.ts";
import { startRetention } from "./store/retention.ts";
import { openSqlite } from "./store/sqlite/open.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

export interface ServerParts {
  logger: Logger;
  clock?: Clock;
  /** What hashing a password costs; tests that are not about it take less. */
  passwordCost?: ScryptCost;
  /** JSON of an event that the empty dashboard suggests to send. */
  exampleEvent?: string | undefined;
}

export interface RunningServer {
  /** Where it listens, e.g. `http://127.0.0.1:8288`. */
  url: string;
  /** Where the first account is made; null when there is an owner, or another way in. */
  setupUrl: string | null;
  /** Finish what is under way, then stop. What cannot finish in time is taken up by the next start. */
  close(): Promise<void>;
}

/** Where the build of the dashboard lies, in the repository. */
const DASHBOARD_DIR = fileURLToPath(new URL("../../dashboard/dist", import.meta.url));

/** Time that requests under way have to end once nothing new is taken, ms. */
const REQUEST_GRACE_MS = 5_000;

/**
 * Start the service.
 * @throws Error with a sentence for a person when the data directory or the port cannot be used
 * @example const { url, close } = await startServer(loadConfig("dev", [], {}), { logger });
 */
export async function startServer(config: Config, parts: ServerParts): Promise<RunningServer> {
  const { logger, clock = systemClock, passwordCost = PASSWORD_COST } = parts;
  const env = config.mode === "dev" ? DEV_ENVIRONMENT : PRODUCTION_ENVIRONMENT;
  const nextId = createUlidGenerator();
  const stopping = new AbortController();
  const metrics = createMetrics();
  const feed = createEventFeed();
  const store = await openSqlite({
    dataDir: config.dataDir,
    now: clock.now,
    observer: observeStore(metrics, logger, clock),
  });
  const { sealer, access } = await openAccess().catch(async (error) => {
    // The directory is free again for whatever mends it.
    await store.close();
    metrics.close();
    throw error;
  });
  async function openAccess() {
    const sealer = createSealer(masterKey(config.secretKey, config.dataDir));
    return { sealer, access: await createAccess({ config, store, sealer, clock, nextId }) };
  }
  const guard = createLoginGuard({ store, clock, logger, nextId });
  // Whoever has a token of the configuration invites the first owner.
  const setupLink =
    config.mode === "start" && config.apiTokens.length === 0 && !access.people.hasOwner()
      ? createSetupLink(clock.now)
      : null;
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
    maxAnswerBytes: MAX_ANSWER_BYTES,
    connections: config.appConcurrency,
    connect: guardedConnector({ allowLinkLocal: config.allowLinkLocal, timeoutMs: 10_000 }),
  });
  const executor = createExecutor({
    store,
    registry,
    caller,
    clock,
    config,
    logger,
    nextId,
    signingKey: access.signingKey,
    environmentName: access.environments.nameOf,
    observer: observeExecutor(metrics, feed, clock),
  });
  const ingestObserver = observeIngest(metrics, feed, clock);
  const ingest = createIngest({
    store,
    registry,
    executor,
    clock,
    nextId,
    observer: ingestObserver,
  });
  metrics.setQueueDepth(() => executor.load().due + executor.load().calls);

  const webhooks = await createWebhooks({
    store,
    ingest,
    environments: access.environments,
    sealer,
    clock,
    logger,
    nextId,
    observer: observeWebhooks(metrics),
  });

  const client = createAppClient({
    allowLinkLocal: config.allowLinkLocal,
    serverKind: serverKind(config.mode),
    now: clock.now,
  });
  const syncApp = createSyncApp({
    registry,
    client,
    config,
    signingKeys: access.signingKeys,
    now: clock.now,
  });
  const discovery = createDiscovery({ config, env, registry, client, syncApp, logger, now: clock.now });
  const operations = createOperations({
    store,
    registry,
    executor,
    ingest,
    syncApp,
    discovery,
    clock,
    observer: ingestObserver,
    nextId,
  });

  const appFacing = [...syncRoutes({ registry, config }), ...callbackRoutes(executor)];
  const api = apiRoutes(
    {
      config,
      version: version(),
      store,
      access,
      sealer,
      nextId,
      login: config.mode === "dev" ? null : { passwords: createPasswords(passwordCost), guard, setupLink },
      registry,
      operations,
      webhooks: {
        operations: webhooks.operations,
        sandbox: webhooks.sandbox,
        baseUrl: (headers) => baseUrl(requestOrigin(headers, config.trustProxy), config.basePath),
      },
      feed,
      clock,
      metrics,
      stopping: stopping.signal,
    },
    appFacing,
  );
  const answered = (route: string, status: number) => metrics.requests.labels(route, status).inc();
  const receiveWebhook = createWebhookEndpoint({
    directory: webhooks.directory,
    receiver: webhooks.receiver,
    environments: access.environments,
    limiter: createRateLimiter(clock),
    config,
    logger,
    answered: (status) => answered("/e/:webhook_key", status),
  });
  const receiveEvents = createEventsEndpoint({
    ingest,
    access,
    clock,
    logger,
    maxRequestBytes: config.maxRequestBytes,
    trustProxy: config.trustProxy,
    answered: (status) => answered("/e/:key", status),
  });
  const dashboard = createDashboard({
    ...config,
    dir: DASHBOARD_DIR,
    version: version(),
    exampleEvent: parts.exampleEvent,
  });
  const listener = createListener({
    hot: (req, res) => receiveWebhook(req, res) || receiveEvents(req, res),
    router: createRouter([...api, ...appFacing], access, { config, logger, answered, dashboard }),
    logger,
    basePath: config.basePath,
  });

  await executor.start();
  webhooks.start();
  const retention = startRetention({ store, clock, logger, ...config });
  const upkeep = startUpkeep({ access, store, clock, logger, nextId, ...config });
  let port: number;
  try {
    port = await listener.listen(config.port, config.host);
  } catch (error) {
    retention.stop();
    await webhooks.stop();
    await upkeep.stop();
    await executor.stop(0);
    await Promise.all([client.close(), caller.close()]);
    await store.close();
    metrics.close();
    throw error;
  }
  discovery.start();

  let closed: Promise<void> | undefined;
  const urlOf = (host: string) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    url: urlOf(config.host),
    // Every address is none that a browser could open.
    setupUrl:
      setupLink === null
        ? null
        : `${urlOf(/^(0\.0\.0\.0|::)$/.test(config.host) ? "localhost" : config.host)}${config.basePath}setup#${setupLink.token}`,
    close() {
      closed ??= (async () => {
        stopping.abort();
        retention.stop();
        await client.close();
        await discovery.stop();
        // Functions that are being called may report steps and send events until they end.
        await executor.stop(config.shutdownGraceMs);
        await listener.close(REQUEST_GRACE_MS);
        await webhooks.stop();
        await guard.stop();
        await caller.close();
        await upkeep.stop();
        await store.close();
        metrics.close();
      })();
      return closed;
    },
  };
}
