/** Apps and their functions: kept in the store, matched in memory. */
import { createHash } from "node:crypto";
import { createUlidGenerator, type Dialect, type FunctionConfig, type SyncRequest } from "@svc/protocol";
import { ServiceError } from "../errors.ts";
import type { Logger } from "../observe/log.ts";
import type { Author } from "../store/commands/record-change.ts";
import type { AppRecord } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { toRegisteredFunction } from "./registered-function.ts";
import { createTriggerIndex } from "./trigger-index.ts";

/** A function that events can trigger, ready to be called. */
export interface RegisteredFunction {
  env: string;
  /** `<app>-<function>` */
  id: string;
  appId: string;
  name: string;
  /** Where to call it: the url of its step, with fnId and without stepId. */
  url: string;
  dialect: Dialect;
  /** Attempts in all: retries + 1. */
  maxAttempts: number;
  paused: boolean;
  config: FunctionConfig;
}

/** The parts of an event that triggers and their expressions look at. */
export interface TriggeringEvent {
  id: string;
  name: string;
  ts: number;
  /** JSON text; parsed only when an expression asks for it. */
  data: string;
  extra: string | null;
}

export interface Registry {
  /** Every function this event triggers, each once, but no paused one. Synchronous: it stands on the hot path. */
  match(env: string, event: TriggeringEvent): RegisteredFunction[];
  /** A function by id; archived ones are gone. */
  find(env: string, functionId: string): RegisteredFunction | undefined;
  /** What an app speaks, or spoke when it was archived. */
  dialectOf(env: string, appId: string): Dialect;
}

/** What is known of an app besides the body of its sync. */
export interface SyncFacts {
  dialect: Dialect;
  /** From the headers; stands in where the body does not say. */
  sdk?: string | undefined;
  framework?: string | undefined;
}

/** The answer to a sync, as it goes out. */
export interface SyncOutcome {
  ok: true;
  modified: boolean;
  sync_id: string;
  app_id: string;
}

/** The registry with its writing side: syncs, archiving, errors of apps. */
export interface AppRegistry extends Registry {
  /**
   * Make an app and its functions what its sync says; new runs go by it from the moment this resolves.
   * @throws {ServiceError} `conflict` when another living app has a function of the same id
   */
  sync(env: string, request: SyncRequest, facts: SyncFacts): Promise<SyncOutcome>;
  /** Archive an app with its functions. @returns false when there is no such app */
  archiveApp(env: string, appId: string): Promise<boolean>;
  /**
   * Pause a function, so that events start no runs of it, or resume it; holds for events received after this resolves.
   * @returns false when there is no such function
   */
  pauseFunction(author: Author, env: string, functionId: string, paused: boolean): Promise<boolean>;
  /** Remember why an app cannot be reached or synced; null when it is well. */
  setAppError(env: string, appId: string, error: string | null): Promise<void>;
  /** The living apps, of one environment or of all. */
  apps(env?: string): AppRecord[];
  /** The living functions of an environment. */
  functions(env: string): RegisteredFunction[];
  /** Read everything anew from the store, after something else wrote there (another node). */
  reload(): Promise<void>;
}

export interface RegistryOptions {
  store: Pick<Store, "execute" | "query">;
  logger: Logger;
  now: () => number;
  /** Told of functions that are gone, after the commit: their queued runs are to be cancelled. */
  onArchived?: (env: string, functionIds: string[]) => void;
}

/** A sync that changes nothing is written down at most this often: apps in dev sync every few seconds. */
const UNCHANGED_WRITE_MS = 60_000;

/** The living apps and functions of one environment. */
interface EnvironmentState {
  apps: Map<string, AppRecord>;
  functions: Map<string, RegisteredFunction>;
}

/**
 * Open the registry with what the store holds.
 * @example const registry = await createRegistry({ store, logger, now: Date.now });
 */
export async function createRegistry(options: RegistryOptions): Promise<AppRegistry> {
  const { store, logger, now } = options;
  const nextId = createUlidGenerator();
  const index = createTriggerIndex((fn, error) => {
    logger.error(`A trigger of ${fn.id} is ignored: ${error.message}`, { env: fn.env });
  });
  let environments = new Map<string, EnvironmentState>();
  /** Of all apps by environment and id: the runs of archived ones are still to be cancelled. */
  const dialects = new Map<string, Dialect>();
  /** Counts changes, so that a reload notices one that it may have missed. */
  let version = 0;

  const stateOf = (env: string): EnvironmentState => {
    let state = environments.get(env);
    if (state === undefined) {
      state = { apps: new Map(), functions: new Map() };
      environments.set(env, state);
    }
    return state;
  };
  const changed = (env: string, archived: string[] = []): void => {
    version++;
    index.replace(env, stateOf(env).functions.values());
    if (archived.length > 0) options.onArchived?.(env, archived);
  };

  const registry: AppRegistry = {
    match: (env, event) => index.match(env, event),
    find: (env, functionId) => environments.get(env)?.functions.get(functionId),
    dialectOf: (env, appId) => dialects.get(`${env}/${appId}`) ?? "svc",

    async sync(env, request, facts) {
      const app = describeApp(env, request, facts, now());
      const outcome = { ok: true as const, sync_id: nextId(app.synced_at), app_id: app.id };
      const known = environments.get(env)?.apps.get(app.id);
      if (known !== undefined && isUnchanged(known, app)) return { ...outcome, modified: false };
      const result = await store.execute("syncApp", {
        env,
        now: app.synced_at,
        app,
        functions: request.functions.map((config) => ({
          id: config.id,
          name: config.name || config.id,
          config: JSON.stringify(config),
        })),
      });
      if (result.conflict !== null) {
        const { functionId, appId } = result.conflict;
        throw new ServiceError(
          "conflict",
          `The function "${functionId}" belongs to the app "${appId}" already. Rename the function, or remove that app.`,
          { function: functionId, field: "id" },
        );
      }
      const state = stateOf(env);
      app.created_at = state.apps.get(app.id)?.created_at ?? app.created_at;
      app.last_change = result.lastChange;
      state.apps.set(app.id, app);
      dialects.set(`${env}/${app.id}`, app.dialect);
      for (const id of result.archived) state.functions.delete(id);
      for (const config of request.functions) {
        const paused = result.paused.includes(config.id);
        const { dialect } = app;
        state.functions.set(config.id, toRegisteredFunction(config, { env, appId: app.id, dialect, paused }));
      }
      changed(env, result.archived);
      if (result.modified) {
        logger.info(`Synced ${app.id}: ${request.functions.length} functions at ${app.url}`, { env });
      }
      return { ...outcome, modified: result.modified };
    },

    async archiveApp(env, appId) {
      const archived = await store.execute("archiveApp", { env, id: appId, now: now() });
      if (archived === null) return false;
      const state = stateOf(env);
      state.apps.delete(appId);
      for (const id of archived) state.functions.delete(id);
      changed(env, archived);
      logger.info(`Archived ${appId} and its ${archived.length} functions`, { env });
      return true;
    },

    async pauseFunction(author, env, id, paused) {
      if (!(await store.execute("pauseFunction", { author, env, id, paused }))) return false;
      const { functions } = stateOf(env);
      // It may have been archived since the commit.
      const fn = functions.get(id);
      if (fn === undefined) return false;
      functions.set(id, { ...fn, paused });
      changed(env);
      logger.info(`${paused ? "Paused" : "Resumed"} ${id}`, { env });
      return true;
    },

    async setAppError(env, appId, error) {
      if (environments.get(env)?.apps.get(appId)?.error === error) return;
      await store.execute("setAppError", { env, id: appId, error });
      const app = environments.get(env)?.apps.get(appId);
      if (app !== undefined) app.error = error;
      version++;
    },

    apps(env) {
      const states = env === undefined ? [...environments.values()] : [environments.get(env)];
      return states.flatMap((state) => (state === undefined ? [] : [...state.apps.values()]));
    },
    functions: (env) => [...(environments.get(env)?.functions.values() ?? [])],

    async reload() {
      for (;;) {
        const before = version;
        const stored = await store.query("loadRegistry", {}, "runs");
        if (version !== before) continue;
        const emptied = [...environments.keys()];
        environments = new Map();
        for (const { env, id, dialect } of stored.dialects) dialects.set(`${env}/${id}`, dialect);
        for (const app of stored.apps) stateOf(app.env).apps.set(app.id, { ...app });
        for (const fn of stored.functions) {
          const { dialect } = environments.get(fn.env)?.apps.get(fn.app_id) ?? {};
          if (dialect === undefined) continue;
          const facts = { env: fn.env, appId: fn.app_id, dialect, paused: fn.paused_at !== null };
          const config = JSON.parse(fn.config) as FunctionConfig;
          stateOf(fn.env).functions.set(fn.id, toRegisteredFunction(config, facts));
        }
        for (const env of new Set([...emptied, ...environments.keys()])) {
          index.replace(env, environments.get(env)?.functions.values() ?? []);
        }
        return;
      }
    },
  };
  await registry.reload();
  return registry;
}

function describeApp(env: string, request: SyncRequest, facts: SyncFacts, now: number): AppRecord {
  return {
    env,
    id: request.appName,
    url: request.url,
    dialect: facts.dialect,
    sdk: request.sdk || facts.sdk || "",
    framework: request.framework ?? facts.framework ?? null,
    checksum: createHash("sha256").update(JSON.stringify(request.functions)).digest("hex"),
    created_at: now,
    synced_at: now,
    error: null,
    last_change: null,
    archived_at: null,
  };
}

function isUnchanged(known: AppRecord, app: AppRecord): boolean {
  const same = (["url", "dialect", "sdk", "framework", "checksum", "error"] as const).every(
    (field) => known[field] === app[field],
  );
  return same && app.synced_at - known.synced_at < UNCHANGED_WRITE_MS;
}
