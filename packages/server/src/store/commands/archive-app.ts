import { firstRow, rows, type Sql } from "../sql.ts";

/**
 * Archive an app and all its functions.
 * @returns the ids of the functions that were living; null when there is no such living app
 */
export function* archiveApp(args: { env: string; id: string; now: number }): Sql<string[] | null> {
  const key = [args.env, args.id, args.now];
  const app = yield* firstRow(
    "UPDATE apps SET archived_at = $3 WHERE env = $1 AND id = $2 AND archived_at IS NULL RETURNING id",
    key,
  );
  if (app === undefined) return null;
  const archived = yield* rows<{ id: string }>(
    "UPDATE functions SET archived_at = $3 WHERE env = $1 AND app_id = $2 AND archived_at IS NULL RETURNING id",
    key,
  );
  return archived.map((fn) => fn.id);
}
