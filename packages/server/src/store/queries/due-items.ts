import type { QueueItem } from "../records.ts";
import { rows, type Sql } from "../sql.ts";

/** Queue items of an app in the order they are due, after a given place. */
export function* dueItems(args: {
  env: string;
  appId: string;
  after: { dueAt: number; id: string };
  until: number;
  limit: number;
}): Sql<QueueItem[]> {
  const { env, appId, after, until, limit } = args;
  return yield* rows<QueueItem>(
    `SELECT env, run_id, id, app_id, function_id, kind, step_id, attempt, due_at FROM queue
     WHERE env = $1 AND app_id = $2 AND (due_at, id) > ($3, $4) AND due_at <= $5
     ORDER BY due_at, id LIMIT $6`,
    [env, appId, after.dueAt, after.id, until, limit],
  );
}
