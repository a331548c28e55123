/**
 * Keeps apps in sync. In development it finds them on this machine and syncs all it knows every few seconds;
 * in production it syncs the configured ones once, however long it takes until they answer.
 */
import type { Config } from "../config.ts";
import type { Logger } from "../observe/log.ts";
import type { AppClient } from "./app-client.ts";
import { aFewAtOnce, COMMON_PATHS, COMMON_PORTS, isApp, openOrigin, UNLIKELY_PATH } from "./app-scan.ts";
import type { AppRegistry } from "./registry.ts";
import { addressKey, type SyncApp } from "./sync-app.ts";

/** An address where an app is, was or should be. */
export interface AppTarget {
  url: string;
  /** Named by `-u`, found on a port, or known from its own sync. */
  source: "configured" | "discovered" | "synced";
  state: "waiting" | "connected" | "lost";
  /** Why the last attempt failed. */
  error: string | null;
  app_id: string | null;
  /** ms since the epoch. */
  tried_at: number | null;
}

export interface Discovery {
  /** The one environment into which apps are synced by themselves. */
  env: string;
  start(): void;
  /** Ends after the attempts under way. */
  stop(): Promise<void>;
  /** One round: what a timer does again and again. Rounds never overlap; a second caller waits for the first. */
  sweep(): Promise<void>;
  /** The apps being tried, configured ones first. */
  targets(): AppTarget[];
  /** Where it looks for apps that are not known yet; null when it does not look. */
  scan: AppScan | null;
}

export interface AppScan {
  ports: readonly number[];
  paths: readonly string[];
  /** Between two looks. */
  intervalMs: number;
}

export interface DiscoveryOptions {
  config: Pick<Config, "mode" | "port" | "appUrls" | "discovery" | "poll" | "pollIntervalMs">;
  env: string;
  registry: AppRegistry;
  client: AppClient;
  syncApp: SyncApp;
  logger: Logger;
  now: () => number;
  /** Runs a task later and returns what calls it off. */
  later?: (task: () => void, ms: number) => () => void;
  ports?: readonly number[];
  paths?: readonly string[];
}

const AT_ONCE = 4;
/** Pauses between attempts to sync a configured app in production: doubled each time, up to the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Longest pause between looks at a port that serves something else. */
const LONGEST_PORT_PAUSE_MS = 15_000;

/** What a port without an app was found to be, so that its owner's log is not flooded with our requests. */
interface SilentPort {
  pauseMs: number;
  nextProbeAt: number;
}

interface Target extends AppTarget {
  /** Its app was removed by hand: left alone until it goes away. */
  dismissed: boolean;
}

/** Create it; nothing happens before `start` (or `sweep`). */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { config, env, registry, client, syncApp, logger, now } = options;
  const { later = laterUnheld, ports = COMMON_PORTS, paths = COMMON_PATHS } = options;
  const isDev = config.mode === "dev";
  const scanned = ports.filter((port) => port !== config.port);
  const targets = new Map<string, Target>();
  const silentPorts = new Map<number, SilentPort>();
  let underWay: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let running = false;
  let pauseMs = FIRST_PAUSE_MS;

  const add = (url: string, source: AppTarget["source"]): Target => {
    const key = addressKey(url);
    let target = targets.get(key);
    if (target === undefined) {
      target = { url, source, state: "waiting", error: null, app_id: null, tried_at: null, dismissed: false };
      targets.set(key, target);
    }
    return target;
  };
  for (const url of config.appUrls) add(url, "configured");

  const attempt = async (target: Target): Promise<void> => {
    target.tried_at = now();
    try {
      const { app } = await syncApp(env, target.url);
      if (target.state === "lost") logger.info(`The app ${app.id} at ${target.url} is back`);
      else if (target.state === "waiting") logger.info(`The app ${app.id} is connected at ${target.url}`);
      target.state = "connected";
      target.app_id = app.id;
      target.error = null;
    } catch (error) {
      const { message } = error as Error;
      if (target.error !== message) logger.warn(message);
      if (target.state === "connected") target.state = "lost";
      target.error = message;
    }
  };

  /** In development: all that is known, but for what was removed by hand. In production: what has yet to answer. */
  const targetsToTry = (): Target[] => {
    const all = [...targets.values()];
    if (!isDev) return all.filter((target) => target.state !== "connected");
    return all.filter((target) => !target.dismissed && (config.poll || target.source === "configured"));
  };

  const takeOverKnownApps = (): void => {
    const apps = registry.apps(env);
    for (const app of apps) {
      const target = add(app.url, "synced");
      target.app_id = app.id;
      target.dismissed = false;
      if (target.state === "waiting") target.state = app.error === null ? "connected" : "lost";
    }
    const living = new Set(apps.map((app) => app.id));
    for (const target of targets.values()) {
      if (target.app_id === null || living.has(target.app_id) || target.source === "configured") continue;
      target.dismissed = true;
    }
  };

  /** Removed apps, and found ones that never synced, may be found anew after they have ended. */
  const forgetEnded = async (): Promise<void> => {
    const doubtful = [...targets].filter(
      ([, { dismissed, source, state }]) => dismissed || (source === "discovered" && state === "waiting"),
    );
    await aFewAtOnce(doubtful, AT_ONCE, async ([key, target]) => {
      if (!(await isApp(client, target.url))) targets.delete(key);
    });
  };

  const scanPort = async (port: number): Promise<void> => {
    const silent = silentPorts.get(port);
    if (silent !== undefined && silent.nextProbeAt > now()) return;
    const origin = await openOrigin(port);
    if (origin === undefined) {
      silentPorts.delete(port);
      return;
    }
    let found = false;
    for (const path of paths) {
      const url = origin + path;
      if (targets.has(addressKey(url))) {
        found = true;
      } else if (await isApp(client, url)) {
        found = true;
        await attempt(add(url, "discovered"));
      }
      // One app that answers at every path is to be found once.
      if (found && (await isApp(client, origin + UNLIKELY_PATH))) break;
    }
    const last = silent?.pauseMs ?? config.pollIntervalMs;
    const next = found ? LONGEST_PORT_PAUSE_MS : Math.min(last * 2, LONGEST_PORT_PAUSE_MS);
    silentPorts.set(port, { pauseMs: next, nextProbeAt: now() + next });
  };

  const round = async (): Promise<void> => {
    if (isDev) takeOverKnownApps();
    await aFewAtOnce(targetsToTry(), AT_ONCE, attempt);
    if (!isDev) return;
    await forgetEnded();
    if (!config.discovery) return;
    await aFewAtOnce(scanned, AT_ONCE, scanPort);
  };

  const sweep = (): Promise<void> => {
    underWay ??= round().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };

  const tick = async (): Promise<void> => {
    try {
      await sweep();
    } catch (error) {
      // A store that is down for a moment must not end the watch over the apps.
      logger.error(`Looking after apps failed: ${(error as Error).message}`);
    }
    if (!running || (!isDev && targetsToTry().length === 0)) return;
    cancelTimer = later(tick, isDev ? config.pollIntervalMs : pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  };

  return {
    env,
    start() {
      if (running) return;
      running = true;
      void tick();
    },
    async stop() {
      running = false;
      cancelTimer?.();
      await underWay?.catch(() => {});
    },
    sweep,
    scan: isDev && config.discovery ? { ports: scanned, paths, intervalMs: config.pollIntervalMs } : null,
    targets: () => [...targets.values()].map(({ dismissed: _, ...target }) => target),
  };
}

/** A timer that does not keep the process alive. */
function laterUnheld(task: () => void, ms: number): () => void {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
}
