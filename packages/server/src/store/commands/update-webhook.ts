import { firstRow, run, type Sql } from "../sql.ts";
import type { WebhookRecord } from "../webhook-records.ts";
import { describeWebhook, hasRoomFor, insertVersion } from "./create-webhook.ts";
import { type Author, differences, recordChange } from "./record-change.ts";

export interface UpdateWebhookArgs {
  author: Author;
  id: string;
  /** What is absent stays. */
  change: {
    name?: string;
    event_filter?: string | null;
    ip_filter?: string | null;
    rate_limit?: string | null;
    paused?: boolean;
    /** Becomes the next version, unless it is the one in use. */
    transform?: string;
  };
  /** The version that `transform` was taken from. */
  restoredFrom?: number;
  /** Refuse when another version is in use: somebody else was faster. */
  ifVersion?: number;
}

export type UpdatedWebhook = "changed" | "not_found" | "version_conflict" | "too_large";

/** Versions of a transform that are kept, and bytes of all of them; the oldest go first. */
const MAX_VERSIONS = 200;
const MAX_VERSIONS_BYTES = 8 * 1024 * 1024;

/** Change a webhook. @returns `changed`, or why nothing was written */
export function* updateWebhook(args: UpdateWebhookArgs): Sql<UpdatedWebhook> {
  const { author, id, change } = args;
  const before = yield* firstRow<WebhookRecord>(
    "SELECT * FROM webhooks WHERE id = $1 AND deleted_at IS NULL",
    [id],
  );
  if (before === undefined) return "not_found";
  if (args.ifVersion !== undefined && args.ifVersion !== before.version) return "version_conflict";
  const after = { ...before };
  if (change.name !== undefined) after.name = change.name;
  if (change.event_filter !== undefined) after.event_filter = change.event_filter;
  if (change.ip_filter !== undefined) after.ip_filter = change.ip_filter;
  if (change.rate_limit !== undefined) after.rate_limit = change.rate_limit;
  if (change.paused !== undefined) after.paused_at = change.paused ? (before.paused_at ?? author.now) : null;
  if (change.transform !== undefined) {
    const current = yield* firstRow<{ transform: string }>(
      "SELECT transform FROM webhook_versions WHERE webhook_id = $1 AND version = $2",
      [id, before.version],
    );
    if (current?.transform !== change.transform) {
      if (!(yield* hasRoomFor(id, change.transform))) return "too_large";
      const last = yield* firstRow<{ version: number }>(
        "SELECT MAX(version) AS version FROM webhook_versions WHERE webhook_id = $1",
        [id],
      );
      after.version = last!.version + 1;
      yield* insertVersion(id, after.version, change.transform, author, args.restoredFrom ?? null);
      yield* run("DELETE FROM webhook_versions WHERE webhook_id = $1 AND version <= $2", [
        id,
        after.version - MAX_VERSIONS,
      ]);
      yield* run(FORGET_LONG, [id, MAX_VERSIONS_BYTES]);
    }
  }
  const [from, to] = differences(describeWebhook(before), describeWebhook(after));
  if (Object.keys(to).length === 0) return "changed";
  const { name, version, event_filter, ip_filter, rate_limit, paused_at } = after;
  yield* run(UPDATE, [id, name, version, event_filter, ip_filter, rate_limit, paused_at, author.now]);
  yield* recordChange(author, {
    action: "webhook.updated",
    target: { kind: "webhook", id, name },
    env: before.env,
    before: from,
    after: to,
  });
  return "changed";
}

// The newest is within the limit by itself, so it always stays.
const FORGET_LONG = `DELETE FROM webhook_versions WHERE webhook_id = $1 AND version IN (
  SELECT version FROM (
    SELECT version, SUM(octet_length(transform)) OVER (ORDER BY version DESC) AS bytes
    FROM webhook_versions WHERE webhook_id = $1) AS sizes
  WHERE bytes > $2)`;

const UPDATE = `UPDATE webhooks SET name = $2, version = $3, event_filter = $4, ip_filter = $5, rate_limit = $6,
  paused_at = $7, updated_at = $8 WHERE id = $1`;
