import type { QueueItem } from "../records.ts";
import { rows, type Sql } from "../sql.ts";

/** Queue items in the order they are due, after a given place. */
export function* dueItems(args: {
  after: { dueAt: number; id: string };
  before: number;
  limit: number;
}): Sql<QueueItem[]> {
  return yield* rows<QueueItem>(
    `SELECT env, run_id, id, function_id, kind, step_id, attempt, due_at FROM queue
     WHERE (due_at, id) > ($1, $2) AND due_at <= $3 ORDER BY due_at, id LIMIT $4`,
    [args.after.dueAt, args.after.id, args.before, args.limit],
  );
}
