/** A webhook's request on its way: kept as it came, transformed, its outcome stored. */
import type { Clock } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import type { Ingest } from "../ingest/ingest.ts";
import type { Logger } from "../observe/log.ts";
import type { FullWebhookRequest } from "../store/queries/find-webhook-request.ts";
import type { Store } from "../store/store.ts";
import type { RequestStatus } from "../store/webhook-records.ts";
import { canonicalHeaders } from "./canonical-headers.ts";
import { type DecideParts, type Decision, decide } from "./decide.ts";
import type { Webhook, WebhookDirectory } from "./directory.ts";
import { createInbox } from "./inbox.ts";
import { namedBranch, type TransformArguments, transformArguments } from "./request.ts";
import { transformInput } from "./transform-input.ts";

/** A request as `http/` read it. */
export interface IncomingRequest {
  method: string;
  /** Without the key. */
  path: string;
  /** Without the question mark. */
  query: string;
  /** Names and values by turns. */
  rawHeaders: readonly string[];
  body: Uint8Array;
  address: string;
}

/** What became of a request. */
export interface RequestOutcome {
  /** `pending`: it is kept, and its transform will run as soon as it can. */
  status: RequestStatus;
  /** Of its events, in order; none unless it is `accepted` or `duplicate`. */
  eventIds: string[];
}

export interface Receiver {
  /**
   * Keep a request, and run its transform. Resolves when the outcome is durable, or, when that takes too long, as soon
   * as the request is.
   * @throws ServiceError `unavailable` when it cannot be kept now; then nothing of it is
   */
  receive(webhook: Webhook, request: IncomingRequest): Promise<RequestOutcome>;
  /**
   * Run the transform in use on a kept request again.
   * @throws ServiceError `conflict` when it got another outcome meanwhile, or is under way
   */
  replay(webhook: Webhook, request: FullWebhookRequest): Promise<RequestOutcome>;
  /**
   * Store the outcome of a decision about a kept request.
   * @returns null when it has got another one since it was read
   */
  finish(webhook: Webhook, request: UnfinishedRequest, decision: Decision): Promise<RequestOutcome | null>;
  /** Take up requests without an outcome: after a crash, or when there was too much to do. */
  resume(): Promise<void>;
  stop(): void;
}

/** What of a kept request its outcome depends on. */
export type UnfinishedRequest = Pick<
  FullWebhookRequest,
  "id" | "received_at" | "branch" | "status" | "finished_at"
>;

export interface ReceiverParts extends DecideParts {
  store: Pick<Store, "execute" | "query">;
  directory: WebhookDirectory;
  ingest: Pick<Ingest, "identify" | "stored" | "refuseOverload">;
  clock: Clock;
  logger: Logger;
  nextId(now: number): string;
  observer: ReceiverObserver;
}

export interface ReceiverObserver {
  finished(status: RequestStatus): void;
}

/**
 * Requests that wait for their outcome, and their bodies: of one webhook, and of all. Past that, senders are asked to
 * come back. The sandbox takes as much, so that what is kept is hardly ever left over.
 */
const MAX_WAITING_OF_ONE = { count: 2_000, bytes: 8 * 1024 * 1024 };
const MAX_WAITING = { count: 10_000, bytes: 32 * 1024 * 1024 };
/** Longest a sender waits for the outcome, ms: many give up after 5 to 10 s and send again what we have. */
const ANSWER_WITHIN_MS = 4_000;
/** How often requests that were left over are looked for, ms, and how many are taken up at once. */
const RESUME_EVERY_MS = 5_000;
const RESUME_AT_ONCE = 50;

export function createReceiver(parts: ReceiverParts): Receiver {
  const { store, directory, ingest, clock, logger, nextId, observer } = parts;
  const inbox = createInbox(store);
  /** Ids of requests that are being worked on: nobody else may. */
  const underWay = new Set<string>();
  const waiting = new Map<string, Load>();
  const all: Load = { count: 0, bytes: 0 };
  let stopped = false;
  let cancelResume: (() => void) | null = null;

  const finish: Receiver["finish"] = async (webhook, request, { outcome, accept }) => {
    const now = clock.now();
    const { id, received_at: receivedAt, status, finished_at: finishedAt } = request;
    const env = accept?.environment.id ?? "";
    const source = { kind: "webhook" as const, name: webhook.name };
    const events = accept === null ? [] : ingest.identify(env, accept.events, now);
    const finished = await store.execute("finishWebhookRequest", {
      webhookId: webhook.id,
      id,
      receivedAt,
      now,
      expect: { status, finishedAt },
      outcome,
      accept: accept === null ? null : { env, source: source.kind, sourceName: source.name, events },
    });
    if (finished === null) return null;
    observer.finished(finished.status);
    if (accept === null) return { status: finished.status, eventIds: [] };
    accept.environment.used = true;
    return { status: finished.status, eventIds: ingest.stored(env, source, events, finished.duplicates) };
  };

  /**
   * Decide about a request and store that; nobody else does so meanwhile.
   * @param sent resolves when the request itself is on its way to the store, where its outcome must come after it
   */
  const work = async (
    webhook: Webhook,
    request: UnfinishedRequest,
    input: TransformArguments,
    sent?: Promise<void>,
  ): Promise<RequestOutcome> => {
    const { received_at: receivedAt, branch } = request;
    const decision = await decide(parts, webhook, input, { receivedAt, branch });
    await sent;
    const outcome = await finish(webhook, request, decision);
    if (outcome === null)
      throw new ServiceError("conflict", "The request has got another outcome meanwhile.");
    return outcome;
  };

  const begin = (webhookId: string, requestId: string, bytes: number) => {
    underWay.add(requestId);
    const own = waiting.get(webhookId) ?? { count: 0, bytes: 0 };
    waiting.set(webhookId, own);
    for (const load of [own, all]) {
      load.count++;
      load.bytes += bytes;
    }
  };
  const end = (webhookId: string, requestId: string, bytes: number) => {
    underWay.delete(requestId);
    const own = waiting.get(webhookId)!;
    for (const load of [own, all]) {
      load.count--;
      load.bytes -= bytes;
    }
    if (own.count === 0) waiting.delete(webhookId);
  };
  /** @throws ServiceError `unavailable` when a request more would be too much */
  const refuseOverload = (webhookId: string, bytes: number) => {
    ingest.refuseOverload(bytes);
    const own = waiting.get(webhookId);
    if (own !== undefined && isOver(own, bytes, MAX_WAITING_OF_ONE)) {
      const sentence =
        "This webhook has more requests than its transform can keep up with. Send it again shortly.";
      throw new ServiceError("unavailable", sentence, { retry_after: 5 });
    }
    if (isOver(all, bytes, MAX_WAITING)) {
      const sentence = "More webhook requests are arriving than can be transformed. Send it again shortly.";
      throw new ServiceError("unavailable", sentence, { retry_after: 1 });
    }
  };

  const resumeLater = () => {
    // One that is on its way stays: put off by each failure it would never come while there are any.
    if (stopped || cancelResume !== null) return;
    cancelResume = clock.after(RESUME_EVERY_MS, () => {
      receiver
        .resume()
        .catch((error) => logger.error("webhook requests are left without an outcome", { error }));
    });
  };

  /** The outcome of a request that is being kept, or pending when there is none now. Never rejects. */
  const outcomeOf = async (
    webhook: Webhook,
    request: UnfinishedRequest,
    input: TransformArguments,
    size: number,
    sent: Promise<void>,
  ) => {
    try {
      return await work(webhook, request, input, sent);
    } catch (error) {
      // It stays pending, and is taken up again.
      resumeLater();
      if (!(error instanceof ServiceError))
        logger.error("a webhook request failed", { error, request: request.id });
      return PENDING;
    } finally {
      end(webhook.id, request.id, size);
    }
  };

  const within = (outcome: Promise<RequestOutcome>): Promise<RequestOutcome> =>
    new Promise((resolve) => {
      const cancel = clock.after(ANSWER_WITHIN_MS, () => resolve(PENDING));
      outcome.then((value) => {
        cancel();
        resolve(value);
      });
    });

  const receiver: Receiver = {
    finish,
    async receive(webhook, incoming) {
      const { method, path, query, rawHeaders, body, address } = incoming;
      const size = body.length;
      refuseOverload(webhook.id, size);
      const now = clock.now();
      const id = nextId(now);
      const headers = canonicalHeaders(rawHeaders);
      const parsed = transformInput(headers["Content-Type"], body);
      const kept = {
        query,
        headers: JSON.stringify(headers),
        body: parsed.raw,
        body_encoding: parsed.binary ? ("base64" as const) : ("utf8" as const),
      };
      const branch = namedBranch(query, headers);
      const paused = webhook.paused_at !== null;
      const status = paused ? "paused" : "pending";
      begin(webhook.id, id, size);
      const { sent, stored } = inbox.keep({
        webhookId: webhook.id,
        id,
        receivedAt: now,
        address,
        size,
        branch,
        status,
        method,
        path,
        ...kept,
      });
      if (paused) {
        await stored.finally(() => end(webhook.id, id, size));
        observer.finished("paused");
        return { status, eventIds: [] };
      }
      const request: UnfinishedRequest = { id, received_at: now, branch, status, finished_at: null };
      // The transform runs while the request is made durable: so both often share a commit, instead of waiting for one
      // each. Nothing follows from it unless the request is there, because its outcome is an update of it.
      const outcome = outcomeOf(webhook, request, transformArguments(kept, parsed), size, sent);
      await stored;
      return within(outcome);
    },

    async replay(webhook, request) {
      if (underWay.has(request.id))
        throw new ServiceError("conflict", "The request is being worked on right now.");
      begin(webhook.id, request.id, request.size);
      try {
        return await work(webhook, request, transformArguments(request));
      } finally {
        end(webhook.id, request.id, request.size);
      }
    },

    async resume() {
      cancelResume?.();
      cancelResume = null;
      let left = false;
      for (const { id: webhookId } of directory.all()) {
        let cursor: string | null = null;
        do {
          const page: { requests: { id: string }[]; next: string | null } = await store.query(
            "listWebhookRequests",
            {
              webhookId,
              statuses: ["pending"],
              cursor,
              limit: RESUME_AT_ONCE,
            },
          );
          cursor = page.next;
          const resumed = await Promise.all(page.requests.map(({ id }) => resumeOne(webhookId, id)));
          left ||= resumed.includes(false);
        } while (cursor !== null && !stopped);
      }
      if (left) resumeLater();
    },

    stop() {
      stopped = true;
      cancelResume?.();
    },
  };

  /** @returns false when the request has no outcome still */
  const resumeOne = async (webhookId: string, id: string): Promise<boolean> => {
    if (stopped || underWay.has(id)) return true;
    begin(webhookId, id, 0);
    try {
      const request = await store.query("findWebhookRequest", { id });
      const webhook = directory.byId(webhookId);
      if (webhook === undefined || request?.status !== "pending") return true;
      await work(webhook, request, transformArguments(request));
      return true;
    } catch (error) {
      if (error instanceof ServiceError) return error.code === "conflict";
      logger.error("a webhook request failed", { error, request: id });
      return false;
    } finally {
      end(webhookId, id, 0);
    }
  };
  return receiver;
}

interface Load {
  count: number;
  bytes: number;
}

function isOver(load: Load, bytes: number, most: Load): boolean {
  // One request of any size is always let in.
  return load.count > 0 && (load.count >= most.count || load.bytes + bytes > most.bytes);
}

const PENDING: RequestOutcome = { status: "pending", eventIds: [] };
