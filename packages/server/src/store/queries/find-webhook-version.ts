import { firstRow, type Sql } from "../sql.ts";
import type { WebhookVersionRecord } from "../webhook-records.ts";

export function* findWebhookVersion(args: {
  webhookId: string;
  version: number;
}): Sql<WebhookVersionRecord | null> {
  const found = yield* firstRow<WebhookVersionRecord>(
    "SELECT * FROM webhook_versions WHERE webhook_id = $1 AND version = $2",
    [args.webhookId, args.version],
  );
  return found ?? null;
}
