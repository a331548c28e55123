/** Makes requests durable as they came, many of them in one command. */
import type { NewWebhookRequest } from "../store/commands/receive-webhook-requests.ts";
import type { Store } from "../store/store.ts";

/** Requests and bytes that share a command at most, as in `ingest/ingest.ts`. */
const SHARED_REQUESTS = 32;
const SHARED_BYTES = 64 * 1024;

export interface Inbox {
  keep(request: NewWebhookRequest): Keeping;
}

export interface Keeping {
  /** Resolves when the request is on its way to the writer: what is executed from then on comes after it. */
  sent: Promise<void>;
  /** Resolves when the request is durable, rejects with ServiceError `unavailable` when it cannot be made so now. */
  stored: Promise<void>;
}

interface OpenBatch {
  requests: NewWebhookRequest[];
  bytes: number;
  keeping: Keeping;
  send(): void;
}

export function createInbox(store: Pick<Store, "execute">): Inbox {
  let open: OpenBatch | null = null;

  const begin = (): OpenBatch => {
    const sent = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const requests: NewWebhookRequest[] = [];
    const send = () => {
      if (open === batch) open = null;
      store.execute("receiveWebhookRequests", { requests }).then(() => stored.resolve(), stored.reject);
      sent.resolve();
    };
    const keeping = { sent: sent.promise, stored: stored.promise };
    const batch: OpenBatch = { requests, bytes: 0, keeping, send };
    setImmediate(() => {
      if (open === batch) send();
    });
    return batch;
  };

  return {
    keep(request) {
      if (open !== null && open.bytes + request.size > SHARED_BYTES) open.send();
      open ??= begin();
      const batch = open;
      batch.requests.push(request);
      batch.bytes += request.size;
      if (batch.requests.length >= SHARED_REQUESTS) batch.send();
      return batch.keeping;
    },
  };
}
