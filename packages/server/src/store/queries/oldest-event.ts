import { firstRow, type Sql } from "../sql.ts";

/** When the oldest stored event of an environment was received; null when it has none. */
export function* oldestEvent(args: { env: string }): Sql<number | null> {
  const row = yield* firstRow<{ received_at: number }>(
    "SELECT received_at FROM events WHERE env = $1 ORDER BY received_at, id LIMIT 1",
    [args.env],
  );
  return row?.received_at ?? null;
}
