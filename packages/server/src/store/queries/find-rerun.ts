import { firstRow, type Sql } from "../sql.ts";

/** What it takes to run a run again. */
export interface RerunSource {
  function_id: string;
  /** Outcomes of its steps, which a rerun may copy. */
  bytes: number;
}

/**
 * Which function a run was of, and how much there is to copy; null when it is unknown. SQLite tells the size of a text
 * without reading it: the run may hold 32 MB.
 */
export function* findRerun(args: { env: string; id: string }): Sql<RerunSource | null> {
  const source = yield* firstRow<RerunSource>(
    `SELECT function_id, (
       SELECT COALESCE(SUM(COALESCE(octet_length(output), 0) + COALESCE(octet_length(error), 0)), 0)
       FROM steps WHERE steps.env = runs.env AND steps.run_id = runs.id) AS bytes
     FROM runs WHERE env = $1 AND id = $2`,
    [args.env, args.id],
  );
  return source ?? null;
}
