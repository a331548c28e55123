import { firstRow, type Sql } from "../sql.ts";

/**
 * Remember why an app could not be reached or synced; null when it is well again.
 * @returns false when there is no such living app
 */
export function* setAppError(args: { env: string; id: string; error: string | null }): Sql<boolean> {
  const app = yield* firstRow(
    "UPDATE apps SET error = $3 WHERE env = $1 AND id = $2 AND archived_at IS NULL RETURNING id",
    [args.env, args.id, args.error],
  );
  return app !== undefined;
}
