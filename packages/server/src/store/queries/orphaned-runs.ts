import { rows, type Sql } from "../sql.ts";

/**
 * Unfinished runs of functions that are archived: what is left to cancel. `status <> 'completed'` repeats what
 * the list says, because only so the small index of noteworthy runs serves.
 */
export function* orphanedRuns(args: { limit: number }): Sql<{ env: string; id: string }[]> {
  return yield* rows(
    `SELECT runs.env AS env, runs.id AS id FROM runs
     WHERE runs.env IN (SELECT env FROM functions WHERE archived_at IS NOT NULL)
       AND runs.status IN ('queued', 'running') AND runs.status <> 'completed'
       AND EXISTS (SELECT 1 FROM functions
         WHERE functions.env = runs.env AND functions.id = runs.function_id AND functions.archived_at IS NOT NULL)
     LIMIT $1`,
    [args.limit],
  );
}
