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
export const MAX_WEBHOOKS = 1_000;

/** Create a webhook with the first version of its transform. @returns false when there are too many */
export function* createWebhook({ author, webhook, transform }: CreateWebhookArgs): Sql<boolean> {
  const living = yield* firstRow<{ count: number }>(
    "SELECT COUNT(*) AS count FROM webhooks WHERE deleted_at IS NULL",
    [],
  );
  if (living!.count >= MAX_WEBHOOKS) return false;
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
  return true;
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
