import type { AppRecord, FunctionRecord } from "../records.ts";
import { rows, type Sql } from "../sql.ts";

/** The living apps and functions of all environments. */
export interface StoredRegistry {
  apps: AppRecord[];
  functions: FunctionRecord[];
}

/** Load all that the registry keeps in memory. */
export function* loadRegistry(_args: Record<string, never>): Sql<StoredRegistry> {
  const apps = yield* rows<AppRecord>("SELECT * FROM apps WHERE archived_at IS NULL ORDER BY env, id", []);
  const functions = yield* rows<FunctionRecord>(
    "SELECT * FROM functions WHERE archived_at IS NULL ORDER BY env, id",
    [],
  );
  return { apps, functions };
}
