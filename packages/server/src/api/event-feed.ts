/** Tells live views of the events that this process has just stored. */
import type { AcceptedEvent } from "../store/commands/accept-events.ts";
import type { SourceKind } from "../store/records.ts";

/** Events of one commit. */
export interface StoredEvents {
  env: string;
  receivedAt: number;
  source: { kind: SourceKind; name: string | null };
  events: readonly AcceptedEvent[];
}

export type EventListener = (stored: StoredEvents) => void;

export interface EventFeed {
  /** Whether anybody listens: publishers can spare themselves the work. */
  readonly watched: boolean;
  publish(stored: StoredEvents): void;
  /** @returns what ends the subscription */
  onEvents(listener: EventListener): () => void;
}

/**
 * A feed within the process. Publishing without listeners costs nothing; listeners must not throw.
 * @example const stop = feed.onEvents(({ events }) => console.log(events.length)); stop();
 */
export function createEventFeed(): EventFeed {
  const listeners = new Set<EventListener>();
  return {
    get watched() {
      return listeners.size > 0;
    },
    publish(stored) {
      for (const listener of listeners) listener(stored);
    },
    onEvents(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
