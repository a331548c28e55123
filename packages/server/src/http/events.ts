/**
 * `POST /e/<event_key>`: the hot path from a socket to a commit, readable from top to bottom. It stands before the
 * router, because every microsecond here is paid for each request.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type EventIdSeed, HEADER, isUlid, parseEventIdSeed, readHeader } from "@svc/protocol";
import type { Access } from "../access/access.ts";
import type { Environment } from "../access/environments.ts";
import type { Gate } from "../access/gate/gate.ts";
import { createRateLimiter, type RateLimiter } from "../access/gate/rate-limit.ts";
import type { Key } from "../access/keys/key-ring.ts";
import type { Clock } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import { isBinaryCloudEvent, parseBinaryCloudEvent } from "../ingest/binary-cloudevent.ts";
import type { EventSource, Ingest } from "../ingest/ingest.ts";
import { type IncomingEvent, parseEvents } from "../ingest/parse.ts";
import type { Logger } from "../observe/log.ts";
import { readBody } from "./body.ts";
import { clientAddress } from "./client-address.ts";
import { sendError } from "./errors.ts";

export interface EventsEndpointParts {
  ingest: Ingest;
  access: Pick<Access, "sender" | "version">;
  clock: Clock;
  logger: Logger;
  /** Largest body, decoded bytes, where the environment says nothing else. */
  maxRequestBytes: number;
  /** Take the client's address from the headers of a proxy. */
  trustProxy: boolean;
  /** Told of every answer. */
  answered(status: number): void;
}

/** Browsers send events, so the endpoint is open to every origin. */
const CORS = { "access-control-allow-origin": "*" } as const;

/** As names and values by turns, the form that node:http takes without looking at it twice. */
const ACCEPTED_HEADERS = ["content-type", "application/json", ...Object.entries(CORS).flat()];

/**
 * Make the endpoint. It takes requests whose path is `/e` or begins with `/e/`.
 * @returns whether the request was taken
 */
export function createEventsEndpoint(
  parts: EventsEndpointParts,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { ingest, access, clock, logger, maxRequestBytes, trustProxy, answered } = parts;
  const limiter = createRateLimiter(clock);

  const receive = async (req: IncomingMessage, res: ServerResponse, path: string) => {
    const version = access.version();
    const { environment, key, source } = identifySender(access, req, path);
    const { gate } = key;
    // Before the body is read: whoever is not let in shall cost nothing more.
    if (gate !== null) admitRequest(gate, key.id!, req, trustProxy, limiter);
    const seed = seedOf(req);
    const body = await readBody(req, { maxBytes: environment.max_request_bytes ?? maxRequestBytes });
    // A body can take a minute on purpose: a key that was revoked meanwhile lets nothing in.
    if (access.version() !== version) identifySender(access, req, path);
    const options = { now: clock.now() };
    const events = isBinaryCloudEvent(req.headers)
      ? parseBinaryCloudEvent(req.headers, body, options)
      : parseEvents(body, req.headers["content-type"], options);
    if (gate !== null && gate.admitsName !== null) admitNames(gate.admitsName, events);
    const ids = await ingest.accept(environment.id, source, events, body.length, seed);
    const answer = `{"ids":${JSON.stringify(ids)},"status":200}`;
    res.writeHead(200, [...ACCEPTED_HEADERS, "content-length", String(answer.length)]);
    res.end(answer);
    answered(200);
  };

  return (req, res) => {
    const url = req.url!;
    if (!url.startsWith("/e/") && url !== "/e" && !url.startsWith("/e?")) return false;
    if (req.method !== "POST") {
      refuse(req, res);
      return true;
    }
    receive(req, res, url).catch((error) => {
      if (!res.headersSent) for (const [name, value] of Object.entries(CORS)) res.setHeader(name, value);
      sendError(res, error, logger);
      answered(error instanceof ServiceError ? error.status : 500);
    });
    return true;
  };

  function refuse(req: IncomingMessage, res: ServerResponse) {
    res.setHeader("access-control-allow-origin", "*");
    if (req.method === "OPTIONS") {
      res.writeHead(204, PREFLIGHT);
      res.end();
      answered(204);
      return;
    }
    res.setHeader("allow", "POST, OPTIONS");
    sendError(res, new ServiceError("method_not_allowed", "Events are sent with POST."), logger);
    answered(405);
  }
}

const PREFLIGHT = {
  "access-control-allow-methods": "POST, OPTIONS",
  "access-control-allow-headers":
    "*, authorization, content-type, content-encoding, x-svc-env, x-inngest-env",
  "access-control-allow-private-network": "true",
  "access-control-max-age": "86400",
};

/** Where the key in the path leads, and whether a program or a step of a run sends with it. */
function identifySender(
  access: Pick<Access, "sender">,
  req: IncomingMessage,
  url: string,
): { environment: Environment; key: Key; source: EventSource } {
  const query = url.indexOf("?");
  const segment = url.slice(3, query === -1 ? undefined : query);
  const { environment, key } = access.sender(decode(segment), readHeader(req.headers, HEADER.env));
  const runId = readHeader(req.headers, HEADER.runId);
  const fromStep = runId !== undefined && isUlid(runId);
  return {
    environment,
    key,
    source: fromStep ? { kind: "step", name: runId } : { kind: "key", name: key.name },
  };
}

/** @throws ServiceError `forbidden` for addresses that are not let in, `rate_limited` for too many requests */
function admitRequest(
  gate: Gate,
  keyId: string,
  req: IncomingMessage,
  trustProxy: boolean,
  limiter: RateLimiter,
): void {
  if (gate.admitsAddress !== null) {
    const address = clientAddress(req, trustProxy);
    if (!gate.admitsAddress(address)) {
      throw new ServiceError(
        "forbidden",
        `This key takes no events from ${address === "" ? "an unknown address" : `the address ${address}`}.`,
      );
    }
  }
  if (gate.rateLimit === null) return;
  const wait = limiter.take(keyId, gate.rateLimit);
  if (wait > 0) {
    throw new ServiceError("rate_limited", "This key has sent more requests than its limit.", {
      retry_after: wait,
    });
  }
}

/** @throws ServiceError `forbidden` for the first event whose name is not let in */
function admitNames(admits: (name: string) => boolean, events: readonly IncomingEvent[]): void {
  const index = events.findIndex(({ name }) => !admits(name));
  if (index === -1) return;
  throw new ServiceError("forbidden", `This key takes no events of the name ${events[index]!.name}.`, {
    index,
    field: "name",
  });
}

function decode(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // No key looks like this, so it is refused as unknown.
  }
}

function seedOf(req: IncomingMessage): EventIdSeed | undefined {
  const header = readHeader(req.headers, HEADER.eventIdSeed);
  if (header === undefined) return undefined;
  const seed = parseEventIdSeed(header);
  if (seed === undefined) {
    throw new ServiceError(
      "invalid_request",
      "The event-id-seed header must be milliseconds, a comma and 10 bytes in base64.",
      { field: HEADER.eventIdSeed },
    );
  }
  return seed;
}
