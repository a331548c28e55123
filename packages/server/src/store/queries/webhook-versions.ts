import { rows, type Sql } from "../sql.ts";
import type { WebhookVersionRecord } from "../webhook-records.ts";

/** The versions of a webhook's transform below one, newest first; `cursor` null begins with the newest. */
export function* webhookVersions(args: {
  webhookId: string;
  cursor: number | null;
  limit: number;
}): Sql<{ versions: WebhookVersionRecord[]; next: number | null }> {
  const found = yield* rows<WebhookVersionRecord>(
    "SELECT * FROM webhook_versions WHERE webhook_id = $1 AND version < $2 ORDER BY version DESC LIMIT $3",
    [args.webhookId, args.cursor ?? 2 ** 31 - 1, args.limit + 1],
  );
  const versions = found.slice(0, args.limit);
  return { versions, next: found.length > args.limit ? versions.at(-1)!.version : null };
}
