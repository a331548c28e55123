import { firstRow, run, type Sql } from "../sql.ts";
import type { AcceptedEvent } from "./accept-events.ts";
import { emitEvents, type RunEnd } from "./apply-transition.ts";

export interface EndRunArgs {
  env: string;
  runId: string;
  now: number;
  end: RunEnd;
  emit: AcceptedEvent[];
}

/**
 * End a run from outside its calls (a cancellation, a function that vanished).
 * @returns false when the run is unknown or has ended already
 */
export function* endRun(args: EndRunArgs): Sql<boolean> {
  const { env, runId, now, end } = args;
  const ended = yield* firstRow<{ function_id: string }>(
    `UPDATE runs SET status = $3, ended_at = $4, output = $5, error = $6
     WHERE env = $1 AND id = $2 AND status IN ('queued', 'running') RETURNING function_id`,
    [env, runId, end.status, now, end.output, end.error],
  );
  if (ended === undefined) return false;
  yield* run("DELETE FROM queue WHERE env = $1 AND run_id = $2", [env, runId]);
  yield* emitEvents(env, now, ended.function_id, args.emit);
  return true;
}
