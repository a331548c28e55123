import type { EventRecord, QueueItem, RunRecord, StepRecord } from "../records.ts";
import { firstRow, rows, type Sql } from "../sql.ts";

/** All that is needed to go on with a run. */
export interface StoredRunState {
  run: RunRecord;
  event: EventRecord;
  steps: StepRecord[];
  queue: QueueItem[];
}

/** Load a run with its event, steps and queue items; null when the run is unknown. */
export function* runState(args: { env: string; runId: string }): Sql<StoredRunState | null> {
  const key = [args.env, args.runId];
  const run = yield* firstRow<RunRecord>("SELECT * FROM runs WHERE env = $1 AND id = $2", key);
  if (run === undefined) return null;
  const event = yield* firstRow<EventRecord>("SELECT * FROM events WHERE env = $1 AND id = $2", [
    args.env,
    run.event_id,
  ]);
  // Retention keeps the events of runs in flight; one that was erased by hand ends the run's story.
  if (event === undefined) return null;
  const steps = yield* rows<StepRecord>("SELECT * FROM steps WHERE env = $1 AND run_id = $2", key);
  const queue = yield* rows<QueueItem>("SELECT * FROM queue WHERE env = $1 AND run_id = $2", key);
  return { run, event, steps, queue };
}
