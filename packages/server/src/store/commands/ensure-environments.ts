import type { EnvironmentType } from "../access-records.ts";
import { run, type Sql } from "../sql.ts";

export interface EnsureEnvironmentsArgs {
  now: number;
  environments: { id: string; name: string; type: EnvironmentType }[];
}

/** Make sure that the environments are there which every service has. */
export function* ensureEnvironments({ now, environments }: EnsureEnvironmentsArgs): Sql<void> {
  for (const { id, name, type } of environments) {
    yield* run(
      `INSERT INTO environments (id, name, type, created_at, auto_archive) VALUES ($1, $2, $3, $4, 0)
       ON CONFLICT (id) DO NOTHING`,
      [id, name, type, now],
    );
  }
}
