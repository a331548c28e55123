/** What people and programs set going through the API, carried out by the parts that own it. */
import type { Operations } from "./api/parts.ts";
import type { Clock } from "./clock.ts";
import { ServiceError } from "./errors.ts";
import type { Ingest, IngestObserver } from "./ingest/ingest.ts";
import { parseEvents } from "./ingest/parse.ts";
import type { Discovery } from "./registry/discovery.ts";
import type { AppRegistry } from "./registry/registry.ts";
import type { SyncApp } from "./registry/sync-app.ts";
import { createCopyTurns } from "./runs/copy-turns.ts";
import type { Executor } from "./runs/executor.ts";
import type { AcceptedEvent, PlannedRun } from "./store/commands/accept-events.ts";
import type { Store } from "./store/store.ts";

export interface OperationParts {
  store: Store;
  registry: AppRegistry;
  executor: Executor;
  ingest: Ingest;
  syncApp: SyncApp;
  discovery: Discovery;
  clock: Clock;
  /** Told of the events that operations store by themselves. */
  observer: Pick<IngestObserver, "received">;
  nextId(now: number): string;
}

/** Name of the event that starts a run by hand. */
const INVOKED = "svc/function.invoked";

/** Tie the operations to the parts. */
export function createOperations(parts: OperationParts): Operations {
  const { store, registry, executor, ingest, syncApp, discovery, clock, nextId, observer } = parts;
  const copying = createCopyTurns();

  return {
    async replay(env, eventId) {
      const event = await store.query("findEvent", { env, id: eventId });
      if (event === null) return null;
      const { name, data, extra } = event;
      // A new event of now: without the old one's deduplication id, or it would be ignored.
      const again = { name, data, extra, ts: clock.now(), idempotencyId: null };
      const [id] = await ingest.accept(env, { kind: "api", name: "replay" }, [again], data.length);
      return id!;
    },

    async send(env, body) {
      const events = parseEvents(body, "application/json", { now: clock.now() });
      return ingest.accept(env, { kind: "api", name: "send" }, events, body.length);
    },

    cancelRun: (env, runId) =>
      executor.cancel(env, runId, { name: "Cancelled", message: "The run was cancelled through the API." }),

    async rerun(env, runId, keep) {
      const source = await store.query("findRerun", { env, id: runId });
      if (source === null) throw new ServiceError("not_found", "There is no such run.");
      const fn = registry.find(env, source.function_id);
      if (fn === undefined) return null;
      const create = async (): Promise<[outcome: "created" | "gone" | "no_step", run: PlannedRun]> => {
        const now = clock.now();
        const run: PlannedRun = [nextId(now), fn.id, fn.appId, now];
        return [await store.execute("createRun", { env, rerunOf: runId, keep, now, run }), run];
      };
      const [outcome, run] = await (keep === "none" ? create() : copying(source.bytes, create));
      if (outcome === "no_step") {
        throw new ServiceError("invalid_request", "The run has no such step.", { field: "from_step" });
      }
      // Retention may have been faster than this request.
      if (outcome === "gone") return null;
      executor.created(env, run);
      return run[0];
    },

    async invoke(env, functionId, data) {
      const fn = registry.find(env, functionId);
      if (fn === undefined) throw new ServiceError("not_found", "There is no such function.");
      const now = clock.now();
      const run: PlannedRun = [nextId(now), fn.id, fn.appId, now];
      const event: AcceptedEvent = [nextId(now), INVOKED, now, null, JSON.stringify(data), null, [run]];
      const events = [event];
      await store.execute("acceptEvents", {
        env,
        now,
        source: "api",
        sourceName: "invoke",
        events,
        seeded: false,
      });
      executor.accepted(env, event);
      observer.received(env, { kind: "api", name: "invoke" }, events);
      return { eventId: event[0], runId: run[0] };
    },

    syncUrl: (env, url) => syncApp(env, url),
    archiveApp: (env, appId) => registry.archiveApp(env, appId),
    pauseFunction: (author, env, id, paused) => registry.pauseFunction(author, env, id, paused),
    discoveryState: (env) => (env === discovery.env ? discovery.targets() : []),
    discoveryScan: (env) => (env === discovery.env ? discovery.scan : null),
    isRunning: (_env, runId) => executor.isRunning(runId),
  };
}
