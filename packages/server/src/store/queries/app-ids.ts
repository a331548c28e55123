import { rows, type Sql } from "../sql.ts";

/** Every app that is or was known: each may have queue items. */
export function* appIds(_args: Record<string, never>): Sql<{ env: string; id: string }[]> {
  return yield* rows("SELECT env, id FROM apps", []);
}
