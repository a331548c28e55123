/** Holds the inbox of the webhooks against what producers sent, what they were answered, and the events stored. */
import type { Ledger, SentWebhookRequest } from "./ledger.ts";
import type { Stored, StoredEvent, StoredRequest } from "./stored.ts";
import { type ExpectedWebhook, WEBHOOKS, type WebhookName } from "./webhooks.ts";

export interface WebhookCounts {
  webhookRequestsAcknowledged: number;
  webhookRequestsStored: number;
  /** Acknowledged and not stored. */
  webhookRequestsLost: number;
  webhookEvents: number;
}

/** Check requests, outcomes and events against each other. That the events started their runs is checked with all others. */
export function verifyWebhooks(stored: Stored, ledger: Ledger, violations: string[]): WebhookCounts {
  const events = stored.events.filter((event) => event.name.startsWith("hook/"));
  const requestsOf = new Map<string, StoredRequest[]>();
  for (const request of stored.requests) {
    if (request.body === null) violations.push(`the webhook request ${request.id} has lost its payload`);
    const key = keyOf(request.body);
    requestsOf.set(key, [...(requestsOf.get(key) ?? []), request]);
  }
  if (stored.payloads !== stored.requests.length) {
    violations.push(`${stored.requests.length} webhook requests have ${stored.payloads} payloads`);
  }

  let acknowledged = 0;
  let lost = 0;
  for (const sent of ledger.webhookRequests.values()) {
    const requests = requestsOf.get(sent.key) ?? [];
    requestsOf.delete(sent.key);
    acknowledged += sent.answers.length;
    lost += Math.max(0, sent.answers.length - requests.length);
    verifyRequests(sent, requests, violations);
  }
  for (const key of requestsOf.keys()) violations.push(`${key} is in the inbox and was never sent`);
  verifyEvents(stored, events, violations);
  verifyHours(stored, violations);
  return {
    webhookRequestsAcknowledged: acknowledged,
    webhookRequestsStored: stored.requests.length,
    webhookRequestsLost: lost,
    webhookEvents: events.length,
  };
}

/** The requests under one key: kept as sent, with an outcome each, and the one that was answered among them. */
function verifyRequests(sent: SentWebhookRequest, requests: StoredRequest[], violations: string[]): void {
  const { key, webhook, answers } = sent;
  const expected: ExpectedWebhook = WEBHOOKS[webhook as WebhookName];
  if (requests.length < answers.length || requests.length > sent.times) {
    violations.push(
      `${key} was sent ${sent.times} times, acknowledged ${answers.length} times, and is stored ${requests.length} times`,
    );
  }
  for (const request of requests) {
    const { id, status, webhook: name, body } = request;
    if (name !== webhook || body !== sent.body) violations.push(`${key} is kept as ${body} by ${name}`);
    const fine = status === expected.status || (expected.deduplicated && status === "duplicate");
    if (!fine || request.finished_at === null) {
      violations.push(`${key} is ${status} as ${id} of ${webhook}, it should be ${expected.status}`);
    }
    const ids = idsOf(request);
    if (ids.length !== expected.events) violations.push(`${key} became ${ids.length} events as ${id}`);
  }
  const accepted = requests.filter(({ status }) => status === "accepted").length;
  if (expected.deduplicated && requests.length > 0 && accepted !== 1) {
    violations.push(`${key} was accepted ${accepted} times under its deduplication id`);
  }
  const unanswered = requests.map((request) => idsOf(request).join());
  for (const { status, code, ids } of answers) {
    const pending = code === "pending";
    const promised = status === 200 ? "accepted" : code === "transform_failed" ? "failed" : code;
    if (!pending && promised !== expected.status) violations.push(`${key} was answered ${status} ${code}`);
    if (pending) continue;
    const place = unanswered.indexOf(ids.join());
    if (place === -1) violations.push(`${key} was answered [${ids}], which none of its requests became`);
    else unanswered.splice(place, 1);
  }
}

/** Each event belongs to one accepted request, says so itself, and is linked to it; no request has one that is not there. */
function verifyEvents(stored: Stored, events: StoredEvent[], violations: string[]): void {
  const byId = new Map(events.map((event) => [event.id, event]));
  const requestOf = new Map(stored.links.map((link) => [link.event_id, link.request_id]));
  const owned = new Set<string>();
  for (const request of stored.requests) {
    const expected: ExpectedWebhook = WEBHOOKS[request.webhook as WebhookName];
    idsOf(request).forEach((eventId, place) => {
      const event = byId.get(eventId);
      const data = event === undefined ? undefined : (JSON.parse(event.data) as { place?: number });
      if (
        event?.name !== expected.event ||
        keyOf(event.data) !== keyOf(request.body) ||
        (data?.place ?? place) !== place
      ) {
        violations.push(
          `the request ${request.id} became ${eventId}, which is ${event?.name} ${event?.data}`,
        );
      }
      if (request.status !== "accepted") return;
      if (owned.has(eventId)) violations.push(`${eventId} belongs to more than one webhook request`);
      owned.add(eventId);
      if (requestOf.get(eventId) !== request.id) {
        violations.push(`${eventId} of ${request.id} is linked to ${requestOf.get(eventId)}`);
      }
    });
  }
  for (const event of events) {
    if (!owned.has(event.id))
      violations.push(`${event.name} ${event.id} ${event.data} has no webhook request`);
  }
  for (const { event_id, request_id } of stored.links) {
    if (!owned.has(event_id))
      violations.push(`${request_id} is linked to ${event_id}, which is not its event`);
  }
}

/** Every outcome is counted once. */
function verifyHours(stored: Stored, violations: string[]): void {
  const counted = new Map<string, number>();
  for (const { status } of stored.requests) counted.set(status, (counted.get(status) ?? 0) + 1);
  for (const { status, count } of stored.hours) counted.set(status, (counted.get(status) ?? 0) - count);
  for (const [status, rest] of counted) {
    if (rest !== 0) violations.push(`${rest} webhook requests that are ${status} are not counted as such`);
  }
}

function keyOf(json: string | null): string {
  return String((JSON.parse(json ?? "{}") as { key?: unknown }).key);
}

function idsOf({ event_ids }: StoredRequest): string[] {
  return JSON.parse(event_ids ?? "[]") as string[];
}
