/** The event payload: what senders send and functions receive. */

export interface EventPayload {
  name: string;
  data: Record<string, unknown>;
  /** Deduplication id of the sender, or the service's own id once accepted. */
  id?: string;
  /** Milliseconds since the epoch. */
  ts?: number;
  v?: string;
  user?: Record<string, unknown>;
}

/** Names with these prefixes belong to the service. */
export const RESERVED_PREFIXES = ["svc/", "inngest/"] as const;

/** Bounds of an event; sizes are UTF-8 bytes, times milliseconds. */
export const EVENT_LIMITS = {
  nameBytes: 256,
  idBytes: 256,
  futureMs: 365 * 86_400_000,
  eventsPerRequest: 5_000,
  requestBytes: 512 * 1024,
  /** Nesting of `data`; deeper is refused, so that no later step meets a stack overflow. */
  depth: 100,
} as const;

/** The window in which an event's id stops later events with the same id: 24 hours. */
export const DEDUPLICATION_WINDOW_MS = 86_400_000;
