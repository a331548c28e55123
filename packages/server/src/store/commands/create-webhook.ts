import { firstRow, run, type Sql } from "../sql.ts";
import type { WebhookRecord } from "../webhook-records.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface CreateWebhookArgs {
  author: Author;
  webhook: Pick<
    WebhookRecord,
    "id" | "env" | "name" | "key_hash" | "key_sealed" | "event_filter" | "ip_filter" | "rate_limit"
  >;
  transform: string;
}

/** Living webhooks of one service: all of them are kept in memory, with their transforms. */
const MAX_WEBHOOKS = 1_000;

/** Transforms in use of all living webhooks together, bytes: each change of a webhook reads them all anew. */
export const MAX_TRANSFORM_BYTES = 32 * 1024 * 1024;

/** Create a webhook with the first version of its transform. @returns why not, when nothing was written */
export function* createWebhook(args: CreateWebhookArgs): Sql<"created" | "too_many" | "too_large"> {
  const { author, webhook, transform } = args;
  const living = yield* firstRow<{ count: number }>(
    "SELECT COUNT(*) AS count FROM webhooks WHERE deleted_at IS NULL",
    [],
  );
  if (living!.count >= MAX_WEBHOOKS) return "too_many";
  if (!(yield* hasRoomFor(webhook.id, transform))) return "too_large";
  yield* run(INSERT, [
    webhook.id,
    webhook.env,
    webhook.name,
    webhook.key_hash,
    webhook.key_sealed,
    webhook.event_filter,
    webhook.ip_filter,
    webhook.rate_limit,
    author.now,
    author.name,
  ]);
  yield* insertVersion(webhook.id, 1, transform, author, null);
  yield* recordChange(author, {
    action: "webhook.created",
    target: { kind: "webhook", id: webhook.id, name: webhook.name },
    env: webhook.env,
    before: null,
    after: describeWebhook({ ...webhook, version: 1, paused_at: null }),
  });
  return "created";
}

/** Whether a webhook may have this transform, beside those of the others. */
export function* hasRoomFor(webhookId: string, transform: string): Sql<boolean> {
  const others = yield* firstRow<{ bytes: number }>(
    `SELECT COALESCE(SUM(octet_length(transform)), 0) AS bytes FROM webhooks
     JOIN webhook_versions ON webhook_versions.webhook_id = webhooks.id AND webhook_versions.version = webhooks.version
     WHERE webhooks.deleted_at IS NULL AND webhooks.id <> $1`,
    [webhookId],
  );
  return others!.bytes + Buffer.byteLength(transform) <= MAX_TRANSFORM_BYTES;
}

/** A webhook for the audit log. The transform stands in its versions. */
export function describeWebhook(
  webhook: Pick<
    WebhookRecord,
    "name" | "version" | "event_filter" | "ip_filter" | "rate_limit" | "paused_at"
  >,
): Record<string, unknown> {
  const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));
  return {
    name: webhook.name,
    version: webhook.version,
    event_filter: parsed(webhook.event_filter),
    ip_filter: parsed(webhook.ip_filter),
    rate_limit: parsed(webhook.rate_limit),
    paused: webhook.paused_at !== null,
  };
}

export function* insertVersion(
  webhookId: string,
  version: number,
  transform: string,
  author: Author,
  restoredFrom: number | null,
): Sql<void> {
  yield* run(
    `INSERT INTO webhook_versions (webhook_id, version, transform, created_at, created_by, restored_from)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [webhookId, version, transform, author.now, author.name, restoredFrom],
  );
}

const INSERT = `INSERT INTO webhooks (id, env, name, key_hash, key_sealed, version, event_filter, ip_filter, rate_limit,
  created_at, created_by, updated_at) VALUES ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9, $10, $9)`;
