import { fitting } from "../newest-first.ts";
import { rows, type Sql } from "../sql.ts";
import type { WebhookVersionRecord } from "../webhook-records.ts";

/** The versions of a webhook's transform below one, newest first; `cursor` null begins with the newest. */
export function* webhookVersions(args: {
  webhookId: string;
  cursor: number | null;
  limit: number;
  /** Bytes of transforms that a page may hold. */
  maxBytes: number;
}): Sql<{ versions: WebhookVersionRecord[]; next: number | null }> {
  const sizes = yield* rows<{ version: number; bytes: number }>(
    `SELECT version, octet_length(transform) AS bytes FROM webhook_versions
     WHERE webhook_id = $1 AND version < $2 ORDER BY version DESC LIMIT $3`,
    [args.webhookId, args.cursor ?? 2 ** 31 - 1, args.limit + 1],
  );
  const page = fitting(sizes.slice(0, args.limit), args.maxBytes);
  const last = page.at(-1)?.version;
  if (last === undefined) return { versions: [], next: null };
  const versions = yield* rows<WebhookVersionRecord>(
    "SELECT * FROM webhook_versions WHERE webhook_id = $1 AND version <= $2 AND version >= $3 ORDER BY version DESC",
    [args.webhookId, page[0]!.version, last],
  );
  return { versions, next: sizes.length > page.length ? last : null };
}
