/** `POST /e/<webhook_key>`: from a producer's request to the answer it understands. Transport only. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Environments } from "../access/environments.ts";
import type { RateLimiter } from "../access/gate/rate-limit.ts";
import { hintOf, WEBHOOK_KEY_PREFIX } from "../access/keys/secrets.ts";
import type { Config } from "../config.ts";
import { ServiceError } from "../errors.ts";
import type { Logger } from "../observe/log.ts";
import type { RequestStatus } from "../store/webhook-records.ts";
import type { Webhook, WebhookDirectory } from "../webhooks/directory.ts";
import type { Receiver, RequestOutcome } from "../webhooks/receiver.ts";
import { readBody } from "./body.ts";
import { clientAddress } from "./client-address.ts";
import { sendError, sendJson } from "./errors.ts";

export interface WebhookEndpointParts {
  directory: Pick<WebhookDirectory, "byKey">;
  receiver: Pick<Receiver, "receive">;
  environments: Pick<Environments, "byId">;
  limiter: RateLimiter;
  config: Pick<Config, "trustProxy" | "maxRequestBytes">;
  logger: Logger;
  /** Told of every answer. */
  answered(status: number): void;
}

/** A transform is given the body as it is, so there is a bound that no setting moves. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const PREFIX = `/e/${WEBHOOK_KEY_PREFIX}`;

/** Why a request that is kept triggered nothing; the producer need not send it again. */
const CODES: Partial<Record<RequestStatus, string>> = {
  failed: "transform_failed",
  filtered: "event_filtered",
  ignored: "ignored",
  unrouted: "unrouted",
  paused: "paused",
  pending: "pending",
};

/**
 * Make the endpoint. It takes requests whose path has a webhook key.
 * @returns whether the request was taken
 */
export function createWebhookEndpoint(
  parts: WebhookEndpointParts,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { directory, receiver, environments, limiter, config, logger, answered } = parts;

  /** @throws ServiceError `unauthorized` */
  const webhookOf = (key: string): Webhook => {
    const webhook = directory.byKey(key);
    if (webhook !== undefined) return webhook;
    throw new ServiceError("unauthorized", "There is no webhook with this address.");
  };

  const receive = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const url = req.url!;
    const mark = url.indexOf("?");
    const key = url.slice("/e/".length, mark === -1 ? undefined : mark);
    const webhook = webhookOf(key);
    if (req.method !== "POST") return answerProbe(req, res);
    const address = clientAddress(req, config.trustProxy);
    letIn(webhook, address);
    const maxBytes = environments.byId(webhook.env)?.max_request_bytes ?? config.maxRequestBytes;
    const body = await readBody(req, { maxBytes: Math.min(maxBytes, MAX_BODY_BYTES) });
    // A body can take a minute on purpose: what was deleted, rotated or paused meanwhile is so for it, too.
    const outcome = await receiver.receive(webhookOf(key), {
      method: req.method,
      path: `/e/${hintOf(key)}`,
      query: mark === -1 ? "" : url.slice(mark + 1),
      rawHeaders: req.rawHeaders,
      body,
      address,
    });
    const answer = answerOf(outcome);
    sendJson(res, answer.status, answer);
  };

  /** @throws ServiceError `ip_denied`, `rate_limited` */
  const letIn = (webhook: Webhook, address: string) => {
    if (webhook.gate?.admitsAddress?.(address) === false) throw new ServiceError("ip_denied");
    const limit = webhook.gate?.rateLimit ?? null;
    const wait = limit === null ? 0 : limiter.take(webhook.id, limit);
    if (wait > 0) throw new ServiceError("rate_limited", undefined, { retry_after: wait });
  };

  return (req, res) => {
    if (!req.url!.startsWith(PREFIX)) return false;
    res.setHeader("access-control-allow-origin", "*");
    receive(req, res)
      .catch((error) => sendError(res, error, logger))
      .finally(() => answered(res.statusCode));
    return true;
  };
}

/** @example answerOf({ status: "ignored", eventIds: [] }) // { ids: [], status: 202, code: "ignored" } */
function answerOf({ status, eventIds }: RequestOutcome): { ids: string[]; status: number; code?: string } {
  const code = CODES[status];
  return code === undefined ? { ids: eventIds, status: 200 } : { ids: [], status: 202, code };
}

/** Producers look whether an address is there before they take it. */
function answerProbe(req: IncomingMessage, res: ServerResponse): void {
  if (req.method === "OPTIONS") {
    res.setHeader("access-control-allow-methods", "POST, GET, HEAD, OPTIONS");
    res.setHeader("access-control-allow-headers", req.headers["access-control-request-headers"] ?? "*");
  }
  res.setHeader("allow", "POST, GET, HEAD, OPTIONS");
  if (!["GET", "HEAD", "OPTIONS"].includes(req.method!)) {
    throw new ServiceError("method_not_allowed", "Requests are sent to a webhook with POST.");
  }
  sendJson(res, 200, { status: 200 });
}
