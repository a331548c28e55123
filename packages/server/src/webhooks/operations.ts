/** What people do with webhooks: create, change, test, replay, route. Everything resolves after its commit. */

import type { EventFilter, IpFilter } from "../access/gate/allow-deny.ts";
import { digest, freshSecret, type Sealer } from "../access/keys/secrets.ts";
import type { Clock } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import { MAX_TRANSFORM_BYTES } from "../store/commands/create-webhook.ts";
import type { Author } from "../store/commands/record-change.ts";
import type { UpdatedWebhook, UpdateWebhookArgs } from "../store/commands/update-webhook.ts";
import type { FullWebhookRequest } from "../store/queries/find-webhook-request.ts";
import type { Store } from "../store/store.ts";
import type { RequestStatus } from "../store/webhook-records.ts";
import { type DecideParts, targetOf } from "./decide.ts";
import type { Webhook, WebhookDirectory } from "./directory.ts";
import { readEvents } from "./interpret.ts";
import type { Receiver, RequestOutcome } from "./receiver.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";

/** What of a webhook people set; what is absent stays as it is. */
export interface WebhookSettings {
  name?: string | undefined;
  transform?: string | undefined;
  event_filter?: EventFilter | null | undefined;
  ip_filter?: IpFilter | null | undefined;
  rate_limit?: { requests: number; per: "second" | "minute" | "hour" } | null | undefined;
  paused?: boolean | undefined;
}

export interface WebhookOperations {
  directory: WebhookDirectory;
  /** The secret part of a webhook's address; null when it was encrypted with another key than the service's. */
  keyOf(webhook: Webhook): string | null;
  /** @throws ServiceError `invalid_request` with `line` and `column` when the transform is no code, `conflict` when there are too many */
  create(
    author: Author,
    env: string,
    settings: WebhookSettings & { name: string; transform: string },
  ): Promise<Webhook>;
  /**
   * @param ifVersion the version the change was made on; another one in use is a conflict
   * @throws ServiceError as `create` does
   */
  update(author: Author, id: string, settings: WebhookSettings, ifVersion?: number): Promise<Webhook>;
  /** Give it a new address; the old one ends at once. */
  rotate(author: Author, id: string): Promise<Webhook>;
  remove(author: Author, id: string): Promise<void>;
  /** Use an older version of the transform again, as a new version. */
  restore(author: Author, id: string, version: number): Promise<Webhook>;
  /** Run the transform in use on a kept request again. */
  replay(request: FullWebhookRequest): Promise<RequestOutcome>;
  /** Run it on the kept requests of some statuses, newest first, so many at once. */
  replayMany(
    webhook: Webhook,
    statuses: RequestStatus[],
    cursor: string | null,
    limit: number,
  ): Promise<Replayed>;
  /** Send the events of an unrouted request to an environment. */
  route(request: FullWebhookRequest, environment: string): Promise<RequestOutcome>;
}

export interface Replayed {
  outcomes: Partial<Record<RequestStatus, number>>;
  /** Requests that got another outcome meanwhile. */
  skipped: number;
  /** Where to go on; null when nothing is left. */
  next: string | null;
}

export interface WebhookOperationParts {
  store: Pick<Store, "execute" | "query">;
  directory: WebhookDirectory;
  receiver: Receiver;
  sandbox: Pick<Sandbox, "check">;
  environments: DecideParts["environments"];
  sealer: Sealer;
  clock: Clock;
  nextId(now: number): string;
}

/** Requests replayed side by side, and bytes of their bodies: well below what the sandbox lets one webhook have waiting. */
const AT_ONCE = { count: 20, bytes: 2 * 1024 * 1024 };

export function createWebhookOperations(parts: WebhookOperationParts): WebhookOperations {
  const { store, directory, receiver, sandbox, environments, sealer, clock, nextId } = parts;

  const living = (id: string): Webhook => {
    const webhook = directory.byId(id);
    if (webhook === undefined) throw noWebhook();
    return webhook;
  };
  const checkTransform = async (source: string) => {
    const problem = await sandbox.check(source);
    if (problem === null) return;
    const { line, column, message } = problem;
    const place = line === null ? "" : ` (line ${line}${column === null ? "" : `, column ${column}`})`;
    throw new ServiceError("invalid_request", `The transform cannot be used: ${message}${place}`, {
      field: "transform",
      line,
      column,
    });
  };
  /** @returns null when it got another outcome meanwhile; the error when there is too much to do */
  const replayOne = async (webhook: Webhook, id: string): Promise<RequestOutcome | ServiceError | null> => {
    const request = await store.query("findWebhookRequest", { id });
    if (request === null) return null;
    return receiver.replay(webhook, request).catch((error) => {
      if (!(error instanceof ServiceError)) throw error;
      return error.code === "conflict" ? null : error;
    });
  };
  const changed = async (id: string, done: UpdatedWebhook): Promise<Webhook> => {
    if (done === "not_found") throw noWebhook();
    if (done === "too_large") throw tooLarge();
    if (done === "version_conflict") {
      throw new ServiceError("conflict", "Somebody has saved another version of the transform meanwhile.", {
        version: directory.byId(id)?.version,
      });
    }
    await directory.reload();
    return living(id);
  };

  return {
    directory,
    keyOf(webhook) {
      try {
        return sealer.open(webhook.key_sealed);
      } catch {
        // It still takes requests; whoever needs its address gives it a new one.
        return null;
      }
    },

    async create(author, env, { name, transform, ...settings }) {
      await checkTransform(transform);
      const key = freshSecret("webhook");
      const id = nextId(clock.now());
      const { event_filter = null, ip_filter = null, rate_limit = null } = stored(settings);
      const created = await store.execute("createWebhook", {
        author,
        webhook: {
          id,
          env,
          name,
          key_hash: digest(key),
          key_sealed: sealer.seal(key),
          event_filter,
          ip_filter,
          rate_limit,
        },
        transform,
      });
      if (created === "too_large") throw tooLarge();
      if (created === "too_many")
        throw new ServiceError("conflict", "There are too many webhooks: delete some.");
      await directory.reload();
      return living(id);
    },

    async update(author, id, settings, ifVersion) {
      if (settings.transform !== undefined && settings.transform !== living(id).transform) {
        await checkTransform(settings.transform);
      }
      const change = stored(settings);
      const done = await store.execute("updateWebhook", {
        author,
        id,
        change,
        ...(ifVersion !== undefined && { ifVersion }),
      });
      return changed(id, done);
    },

    async rotate(author, id) {
      const key = freshSecret("webhook");
      const args = { author, id, keyHash: digest(key), keySealed: sealer.seal(key) };
      return changed(id, (await store.execute("rotateWebhookKey", args)) ? "changed" : "not_found");
    },

    async remove(author, id) {
      if (!(await store.execute("deleteWebhook", { author, id }))) throw noWebhook();
      await directory.reload();
    },

    async restore(author, id, version) {
      const old = await store.query("findWebhookVersion", { webhookId: id, version });
      if (old === null) throw new ServiceError("not_found", "There is no such version.");
      const change = { transform: old.transform };
      return changed(id, await store.execute("updateWebhook", { author, id, change, restoredFrom: version }));
    },

    replay: (request) => receiver.replay(living(request.webhook_id), request),

    async replayMany(webhook, statuses, cursor, limit) {
      const page = await store.query("listWebhookRequests", {
        webhookId: webhook.id,
        statuses,
        cursor,
        limit,
      });
      const replayed: Replayed = { outcomes: {}, skipped: 0, next: page.next };
      for (const batch of batches(page.requests)) {
        for (let ids = batch.map(({ id }) => id); ids.length > 0; ) {
          const outcomes = await Promise.all(ids.map((id) => replayOne(webhook, id)));
          const refused = ids.filter((_, index) => outcomes[index] instanceof ServiceError);
          // Large bodies fill the sandbox before there are so many; these have their turn when others have ended.
          if (refused.length === ids.length) throw outcomes[0];
          for (const outcome of outcomes) {
            if (outcome === null) replayed.skipped++;
            else if (!(outcome instanceof ServiceError)) {
              replayed.outcomes[outcome.status] = (replayed.outcomes[outcome.status] ?? 0) + 1;
            }
          }
          ids = refused;
        }
      }
      return replayed;
    },

    async route(request, name) {
      const webhook = living(request.webhook_id);
      if (request.status !== "unrouted" || request.events === null) {
        throw new ServiceError(
          "conflict",
          "Only a request that is unrouted can be routed to an environment.",
        );
      }
      const target = targetOf(environments, webhook.env, name);
      if (typeof target === "string") throw new ServiceError("environment_not_found", target);
      const events = readEvents(request.events, request.received_at);
      const { version, logs, duration_us } = request;
      const outcome = await receiver.finish(webhook, request, {
        outcome: { status: "accepted", version, logs, duration_us, error: null, events: null },
        accept: { environment: target, events },
      });
      if (outcome === null)
        throw new ServiceError("conflict", "The request has got another outcome meanwhile.");
      return outcome;
    },
  };
}

/** In their order; one request of any size is a batch. */
function* batches<T extends { size: number }>(requests: readonly T[]): Generator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const request of requests) {
    const isFull = batch.length >= AT_ONCE.count || bytes + request.size > AT_ONCE.bytes;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(request);
    bytes += request.size;
  }
  if (batch.length > 0) yield batch;
}

function tooLarge(): ServiceError {
  const mib = MAX_TRANSFORM_BYTES / 1024 / 1024;
  return new ServiceError(
    "conflict",
    `All transforms together may have ${mib} MiB: delete webhooks nobody uses.`,
    {
      field: "transform",
    },
  );
}

function noWebhook(): ServiceError {
  return new ServiceError("not_found", "There is no such webhook.");
}

/** Settings as they are stored. Lists without an entry are none. */
function stored({ name, transform, paused, ...lists }: WebhookSettings): UpdateWebhookArgs["change"] {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  const filter = (value: EventFilter | IpFilter | null) =>
    json(value === null || value.allow.length + value.deny.length === 0 ? null : value);
  return {
    ...(name !== undefined && { name }),
    ...(transform !== undefined && { transform }),
    ...(paused !== undefined && { paused }),
    ...(lists.event_filter !== undefined && { event_filter: filter(lists.event_filter) }),
    ...(lists.ip_filter !== undefined && { ip_filter: filter(lists.ip_filter) }),
    ...(lists.rate_limit !== undefined && { rate_limit: json(lists.rate_limit) }),
  };
}
