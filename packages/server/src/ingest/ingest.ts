/** Accepting events: identify, plan what they start, make both durable in one commit, answer. */
import { type EventIdSeed, seededEventId } from "@svc/protocol";
import type { Clock } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import type { Registry } from "../registry/registry.ts";
import type { Executor } from "../runs/executor.ts";
import { planRuns } from "../runs/plan.ts";
import type { AcceptedEvent, Duplicate } from "../store/commands/accept-events.ts";
import type { SourceKind } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { IncomingEvent } from "./validate.ts";

/** Commands and bytes that may wait for the writer; past either, senders are asked to come back. */
const MAX_WAITING_COMMANDS = 20_000;
const MAX_WAITING_BYTES = 256 * 1024 * 1024;

/** Requests share a command up to this size: past it there is nothing to save, and small ones would wait for large. */
const SHARED_BYTES = 64 * 1024;
/**
 * Requests that share a command at most. It goes off as soon as it has them, so that the writer commits these while the
 * next ones are read: with 32, single events came in 20% faster than with all requests of a turn in one command.
 */
const SHARED_REQUESTS = 32;

export interface IngestParts {
  store: Store;
  registry: Registry;
  executor: Pick<Executor, "accepted">;
  clock: Clock;
  nextId(now: number): string;
  observer: IngestObserver;
}

/** Who is told what was stored: metrics and the live view. */
export interface IngestObserver {
  received(env: string, source: EventSource, events: AcceptedEvent[]): void;
  duplicates(count: number): void;
}

export interface EventSource {
  kind: SourceKind;
  name: string | null;
}

export interface Ingest {
  /**
   * Accept a batch, all or nothing. Resolves after the commit.
   * @param bytes size of the request, for backpressure
   * @param seed fixes the ids of the events, so that a repeated request stores nothing twice
   * @returns the id of each event in order; a duplicate has the id of the event that was first
   * @throws ServiceError `unavailable` when the batch cannot be made durable now
   */
  accept(
    env: string,
    source: EventSource,
    events: readonly IncomingEvent[],
    bytes: number,
    seed?: EventIdSeed,
  ): Promise<string[]>;
  /** Give events ids and plan what they start, for a command that stores them with something else. */
  identify(env: string, events: readonly IncomingEvent[], now: number): AcceptedEvent[];
  /**
   * Tell everybody who has to know that such events are stored now.
   * @returns the id of each event in order, as `accept` does
   */
  stored(
    env: string,
    source: EventSource,
    events: AcceptedEvent[],
    duplicates: readonly Duplicate[] | null,
  ): string[];
  /** @throws ServiceError `unavailable` when more waits for the store than it can keep up with */
  refuseOverload(bytes: number): void;
}

/** Requests of one turn of the event loop and one source, on their way to one command. */
interface OpenBatch {
  env: string;
  /** Ids come from the senders, so events may be there already. */
  seeded: boolean;
  source: EventSource;
  now: number;
  bytes: number;
  events: AcceptedEvent[];
  requests: WaitingRequest[];
}

interface WaitingRequest {
  /** Place of its first event in the batch, and number of its events. */
  from: number;
  count: number;
  resolve(ids: string[]): void;
  reject(error: unknown): void;
}

/** @example await ingest.accept("production", { kind: "key", name: "web" }, parseEvents(body, type, { now }), body.length) */
export function createIngest(parts: IngestParts): Ingest {
  const { store, registry, executor, clock, nextId, observer } = parts;
  const open: OpenBatch[] = [];
  let waitingBytes = 0;

  const identify = (env: string, event: IncomingEvent, now: number, id: string): AcceptedEvent => {
    const { name, data, ts, idempotencyId, extra } = event;
    const runs = planRuns(registry, env, { id: idempotencyId ?? id, name, ts, data, extra }, now, nextId);
    return [id, name, ts, idempotencyId, data, extra, runs];
  };

  const stored: Ingest["stored"] = (env, source, events, duplicates) => {
    const ids = events.map((event) => event[0]);
    const fresh = duplicates === null ? events : withoutDuplicates(events, duplicates, ids);
    for (const event of fresh) if (event[6] !== null) executor.accepted(env, event);
    observer.received(env, source, fresh);
    if (duplicates !== null) observer.duplicates(duplicates.length);
    return ids;
  };

  const commit = async ({ env, seeded, source, now, bytes, events, requests }: OpenBatch) => {
    try {
      const duplicates = await store.execute("acceptEvents", {
        env,
        now,
        source: source.kind,
        sourceName: source.name,
        events,
        seeded,
      });
      const ids = stored(env, source, events, duplicates);
      if (requests.length === 1) requests[0]!.resolve(ids);
      else for (const { from, count, resolve } of requests) resolve(ids.slice(from, from + count));
    } catch (error) {
      for (const request of requests) request.reject(error);
    } finally {
      waitingBytes -= bytes;
    }
  };

  /** Small requests that arrive in the same turn of the event loop share a command: half the cost of one each. */
  const flush = () => {
    for (const batch of open.splice(0)) void commit(batch);
  };

  const batchFor = (env: string, source: EventSource, seeded: boolean, bytes: number): OpenBatch => {
    for (const batch of open) {
      const { kind, name } = batch.source;
      const fits = batch.bytes + bytes <= SHARED_BYTES;
      if (
        fits &&
        batch.env === env &&
        kind === source.kind &&
        name === source.name &&
        batch.seeded === seeded
      ) {
        batch.bytes += bytes;
        waitingBytes += bytes;
        return batch;
      }
    }
    if (open.length === 0) setImmediate(flush);
    const batch: OpenBatch = { env, seeded, source, now: clock.now(), bytes, events: [], requests: [] };
    open.push(batch);
    waitingBytes += bytes;
    return batch;
  };

  const overload = (bytes: number): ServiceError | null => {
    if (store.backlog() <= MAX_WAITING_COMMANDS && waitingBytes + bytes <= MAX_WAITING_BYTES) return null;
    const sentence = "More is arriving than can be stored right now. Send it again shortly.";
    return new ServiceError("unavailable", sentence, { retry_after: 1 });
  };

  return {
    stored,
    refuseOverload(bytes) {
      const refusal = overload(bytes);
      if (refusal !== null) throw refusal;
    },
    identify: (env, events, now) => events.map((event) => identify(env, event, now, nextId(now))),
    accept(env, source, events, bytes, seed) {
      const refusal = overload(bytes);
      if (refusal !== null) return Promise.reject(refusal);
      return new Promise<string[]>((resolve, reject) => {
        const batch = batchFor(env, source, seed !== undefined, bytes);
        const { now } = batch;
        const identified = events.map((event, index) =>
          identify(env, event, now, seed === undefined ? nextId(now) : seededEventId(seed, index)),
        );
        batch.requests.push({ from: batch.events.length, count: events.length, resolve, reject });
        batch.events.push(...identified);
        if (batch.requests.length >= SHARED_REQUESTS) {
          open.splice(open.indexOf(batch), 1);
          void commit(batch);
        }
      });
    },
  };
}

/** The events that are new; `ids` gets the first event's id at each duplicate's place. */
function withoutDuplicates(
  events: AcceptedEvent[],
  duplicates: readonly Duplicate[],
  ids: string[],
): AcceptedEvent[] {
  const ignored = new Set<number>();
  for (const [index, firstId] of duplicates) {
    ignored.add(index);
    ids[index] = firstId;
  }
  return events.filter((_, index) => !ignored.has(index));
}
