import { DEDUPLICATION_WINDOW_MS } from "@svc/protocol";
import { rows, type Sql } from "../sql.ts";

/**
 * Remove deduplication ids whose window is over, oldest first. They are ignored as soon as they are over age; this
 * only takes back their space.
 * @returns how many were removed
 */
export function* expireDeduplication(args: { now: number; limit: number }): Sql<number> {
  const removed = yield* rows(
    `DELETE FROM deduplication WHERE (env, id) IN
       (SELECT env, id FROM deduplication WHERE first_at <= $1 ORDER BY first_at LIMIT $2) RETURNING id`,
    [args.now - DEDUPLICATION_WINDOW_MS, args.limit],
  );
  return removed.length;
}
