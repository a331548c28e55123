/** What was sent and what the service promised about it: the other witness beside the app's journal. */

export interface SentEvent {
  key: string;
  name: string;
  /** The id the service has answered; null while no answer came. */
  eventId: string | null;
  /** The id it must get, when the sender has fixed it. */
  promised: string | null;
  /** Sent with this key as its deduplication id. */
  deduplicated: boolean;
}

export interface SentWebhookRequest {
  key: string;
  webhook: string;
  body: string;
  times: number;
  /** What it was acknowledged with: 200 with the ids of its events, or 202 with a code. */
  answers: WebhookAnswer[];
}

export interface WebhookAnswer {
  status: number;
  code: string | undefined;
  ids: string[];
}

export interface Ledger {
  /** By key: every event carries its own in `data.key`; duplicates carry the key of what they repeat. */
  sent: Map<string, SentEvent>;
  /** Keys of acknowledged events with a deduplication id, to send them again later. */
  repeatable: string[];
  /** By key, which each carries in its body. */
  webhookRequests: Map<string, SentWebhookRequest>;
  /** Requests by how they ended. */
  requests: { acknowledged: number; refused: number; broken: number };
  /** What must never happen, as it was seen. */
  violations: string[];
  /** Note an event that is about to be sent. */
  add(event: Omit<SentEvent, "eventId">): void;
  /** Note that the service has acknowledged an event under an id. */
  acknowledge(key: string, eventId: string): void;
  /** Note a webhook request that is about to be sent, perhaps again. */
  sentToWebhook(key: string, webhook: string, body: string): void;
  answeredByWebhook(key: string, answer: WebhookAnswer): void;
}

export function createLedger(): Ledger {
  const ledger: Ledger = {
    sent: new Map(),
    repeatable: [],
    webhookRequests: new Map(),
    requests: { acknowledged: 0, refused: 0, broken: 0 },
    violations: [],
    add(event) {
      if (!ledger.sent.has(event.key)) ledger.sent.set(event.key, { ...event, eventId: null });
    },
    acknowledge(key, eventId) {
      const event = ledger.sent.get(key)!;
      if (event.eventId === null) {
        event.eventId = eventId;
        if (event.deduplicated) ledger.repeatable.push(key);
        if (event.promised !== null && event.promised !== eventId) {
          ledger.violations.push(`${key}: its seed gives ${event.promised}, the answer was ${eventId}`);
        }
      } else if (event.eventId !== eventId) {
        ledger.violations.push(`${key}: answered ${event.eventId} first and ${eventId} later`);
      }
    },
    sentToWebhook(key, webhook, body) {
      const request = ledger.webhookRequests.get(key);
      if (request !== undefined) request.times++;
      else ledger.webhookRequests.set(key, { key, webhook, body, times: 1, answers: [] });
    },
    answeredByWebhook(key, { status, code, ids }) {
      ledger.webhookRequests.get(key)!.answers.push({ status, code, ids });
    },
  };
  return ledger;
}
