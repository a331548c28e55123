import { run, type Sql } from "../sql.ts";

/** Show runs whose call takes its time as running. Fast runs never come here: their end says it all. */
export function* markRunning(args: { env: string; runs: [runId: string, startedAt: number][] }): Sql<void> {
  for (const [runId, startedAt] of args.runs) {
    yield* run(
      `UPDATE runs SET status = 'running', started_at = COALESCE(started_at, $3)
       WHERE env = $1 AND id = $2 AND status = 'queued'`,
      [args.env, runId, startedAt],
    );
  }
}
