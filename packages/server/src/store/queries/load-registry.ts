import type { AppRecord, FunctionRecord } from "../records.ts";
import { rows, type Sql } from "../sql.ts";

/** The living apps and functions of all environments, and what all apps speak, archived ones too. */
export interface StoredRegistry {
  apps: AppRecord[];
  functions: FunctionRecord[];
  dialects: Pick<AppRecord, "env" | "id" | "dialect">[];
}

/** Load all that the registry keeps in memory. */
export function* loadRegistry(_args: Record<string, never>): Sql<StoredRegistry> {
  const apps = yield* rows<AppRecord>("SELECT * FROM apps WHERE archived_at IS NULL ORDER BY env, id", []);
  const functions = yield* rows<FunctionRecord>(
    "SELECT * FROM functions WHERE archived_at IS NULL ORDER BY env, id",
    [],
  );
  const dialects = yield* rows<StoredRegistry["dialects"][number]>("SELECT env, id, dialect FROM apps", []);
  return { apps, functions, dialects };
}
