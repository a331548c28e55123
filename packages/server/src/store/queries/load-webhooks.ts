import { rows, type Sql } from "../sql.ts";
import type { LoadedWebhook } from "../webhook-records.ts";

/** Every living webhook with the transform in use, to be kept in memory. */
export function* loadWebhooks(_args: Record<string, never>): Sql<LoadedWebhook[]> {
  return yield* rows<LoadedWebhook>(
    `SELECT webhooks.*, webhook_versions.transform FROM webhooks
     JOIN webhook_versions ON webhook_versions.webhook_id = webhooks.id AND webhook_versions.version = webhooks.version
     WHERE webhooks.deleted_at IS NULL ORDER BY webhooks.id`,
    [],
  );
}
