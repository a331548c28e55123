/** What the store holds of webhooks. Times are ms since the epoch, JSON is kept as text. */

export interface WebhookRecord {
  id: string;
  /** The environment that holds it; for the branches, their parent. */
  env: string;
  name: string;
  /** SHA-256 of its key, by which requests find it. */
  key_hash: string;
  /** The key encrypted: people may look at the address again. */
  key_sealed: string;
  /** Version of the transform that is in use. */
  version: number;
  event_filter: string | null;
  ip_filter: string | null;
  rate_limit: string | null;
  created_at: number;
  created_by: string | null;
  updated_at: number;
  paused_at: number | null;
}

/** A webhook with the transform that is in use. */
export interface LoadedWebhook extends WebhookRecord {
  transform: string;
}

export interface WebhookVersionRecord {
  webhook_id: string;
  version: number;
  transform: string;
  created_at: number;
  created_by: string | null;
  /** The version it repeats, when an older one was restored. */
  restored_from: number | null;
}

/**
 * `pending` until its transform has run; `accepted` and `duplicate` became events; the others are kept and triggered
 * nothing.
 */
export const REQUEST_STATUSES = [
  "pending",
  "accepted",
  "duplicate",
  "ignored",
  "filtered",
  "unrouted",
  "failed",
  "paused",
] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** A request in the inbox, without its payload. */
export interface WebhookRequestRecord {
  webhook_id: string;
  id: string;
  received_at: number;
  address: string;
  /** Of the body, bytes. */
  size: number;
  /** The branch it names. */
  branch: string | null;
  status: RequestStatus;
  /** Version of the transform that made the outcome. */
  version: number | null;
  /** JSON of the error, where there is one. */
  error: string | null;
  /** JSON of the lines the transform logged. */
  logs: string | null;
  duration_us: number | null;
  /** Where its events went. */
  env: string | null;
  /** JSON array. */
  event_ids: string | null;
  /** JSON of what the transform returned, as long as that is routed nowhere. */
  events: string | null;
  finished_at: number | null;
}

/** A request as it came in; never changed. */
export interface WebhookPayloadRecord {
  webhook_id: string;
  request_id: string;
  method: string;
  /** Without the key. */
  path: string;
  /** As sent, without the question mark. */
  query: string;
  /** JSON object by canonical name. */
  headers: string;
  body: string;
  body_encoding: "utf8" | "base64";
}
