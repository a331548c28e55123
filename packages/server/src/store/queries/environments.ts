import { firstRow, type Sql } from "../sql.ts";

/**
 * The environments that hold events. Steps from one to the next along the index, so it costs the number of
 * environments, not of events.
 */
export function* environments(_args: Record<string, never>): Sql<string[]> {
  const found: string[] = [];
  for (let after = ""; ; ) {
    const next = yield* firstRow<{ env: string }>(
      "SELECT env FROM events WHERE env > $1 ORDER BY env LIMIT 1",
      [after],
    );
    if (next === undefined) return found;
    found.push(next.env);
    after = next.env;
  }
}
