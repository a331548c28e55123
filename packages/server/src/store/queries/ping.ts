import { run, type Sql } from "../sql.ts";

/** Shows that the store can be read. */
export function* ping(_args: Record<string, never>): Sql<void> {
  yield* run("SELECT MAX(version) FROM schema_migrations", []);
}
