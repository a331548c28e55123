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

export interface Ledger {
  /** By key: every event carries its own in `data.key`; duplicates carry the key of what they repeat. */
  sent: Map<string, SentEvent>;
  /** Keys of acknowledged events with a deduplication id, to send them again later. */
  repeatable: string[];
  /** Requests by how they ended. */
  requests: { acknowledged: number; refused: number; broken: number };
  /** What must never happen, as it was seen. */
  violations: string[];
  /** Note an event that is about to be sent. */
  add(event: Omit<SentEvent, "eventId">): void;
  /** Note that the service has acknowledged an event under an id. */
  acknowledge(key: string, eventId: string): void;
}

export function createLedger(): Ledger {
  const ledger: Ledger = {
    sent: new Map(),
    repeatable: [],
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
  };
  return ledger;
}
