import type { AttemptRecord, ListedRun, StepRecord } from "../records.ts";
import { firstRow, rows, type Sql } from "../sql.ts";
import { runLogs } from "./run-logs.ts";

/** A run with all that is known of it. */
export interface RunStory {
  run: ListedRun;
  /** In the order in which they were met. */
  steps: StepRecord[];
  /** The failed calls, oldest first. */
  attempts: AttemptRecord[];
  /** JSON text, see `runLogs`. */
  logs: string;
}

/** A run with its steps, failed attempts and log lines; null when it is unknown. */
export function* findRun(args: { env: string; id: string }): Sql<RunStory | null> {
  const key = [args.env, args.id];
  const run = yield* firstRow<ListedRun>(
    `SELECT runs.*, events.name AS event_name FROM runs
     LEFT JOIN events ON events.env = runs.env AND events.id = runs.event_id
     WHERE runs.env = $1 AND runs.id = $2`,
    key,
  );
  if (run === undefined) return null;
  const steps = yield* rows<StepRecord>(
    "SELECT * FROM steps WHERE env = $1 AND run_id = $2 ORDER BY queued_at, position, id",
    key,
  );
  const attempts = yield* rows<AttemptRecord>(
    "SELECT * FROM attempts WHERE env = $1 AND run_id = $2 ORDER BY started_at, attempt, item_id",
    key,
  );
  const logs = yield* runLogs(args.env, args.id);
  return { run, steps, attempts, logs };
}
