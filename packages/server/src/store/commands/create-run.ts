import { firstRow, rows, run, type Sql } from "../sql.ts";
import { EVENT_EXISTS, INSERT_FIRST_ITEM, INSERT_RUN, type PlannedRun } from "./accept-events.ts";

/**
 * Which finished steps of the old run a rerun takes over: none, those that completed, or those that had finished
 * before a step did (its hashed id) -- all that have finished, when that step itself has not.
 */
export type KeptSteps = "none" | "completed" | { before: string };

export interface CreateRunArgs {
  env: string;
  /** The run to repeat; its event starts the new one, too. */
  rerunOf: string;
  keep: KeptSteps;
  now: number;
  run: PlannedRun;
}

/**
 * Start one more run for the event of a run.
 * @returns `gone` when the run or its event is, `no_step` when the run knows no such step: nothing was written then
 */
export function* createRun(args: CreateRunArgs): Sql<"created" | "gone" | "no_step"> {
  const { env, rerunOf, keep, now } = args;
  const [runId, functionId, appId, dueAt] = args.run;
  const old = yield* firstRow<{ event_id: string }>(EVENT_OF_RUN, [env, rerunOf]);
  if (old === undefined || (yield* firstRow(EVENT_EXISTS, [env, old.event_id])) === undefined) return "gone";
  let kept = 0;
  if (keep === "completed") {
    kept = (yield* rows(KEEP_COMPLETED, [env, rerunOf, runId, now])).length;
  } else if (keep !== "none") {
    const step = yield* firstRow<{ known: number; position: number | null }>(FIND_STEP, [
      env,
      rerunOf,
      keep.before,
    ]);
    if (step!.known === 0) return "no_step";
    const before = step!.position ?? Number.MAX_SAFE_INTEGER;
    kept = (yield* rows(KEEP_BEFORE, [env, rerunOf, runId, now, before])).length;
  }
  yield* run(INSERT_RUN, [env, runId, functionId, appId, old.event_id, now]);
  yield* run(MARK_RERUN, [env, runId, rerunOf, kept]);
  yield* run(INSERT_FIRST_ITEM, [env, runId, appId, functionId, dueAt]);
  return "created";
}

const EVENT_OF_RUN = "SELECT event_id FROM runs WHERE env = $1 AND id = $2";

// A step that has only failed so far is known by its attempts alone.
const FIND_STEP = `SELECT COUNT(*) AS known, MAX(position) AS position FROM (
  SELECT position FROM steps WHERE env = $1 AND run_id = $2 AND id = $3
  UNION ALL SELECT NULL FROM attempts WHERE env = $1 AND run_id = $2 AND step_id = $3) AS found`;

/** Copies of finished steps: without times of their own, and numbered anew, because places must have no gaps. */
const KEEP = `INSERT INTO steps
  (env, run_id, id, name, op, status, position, input, output, error, queued_at, started_at, ended_at, wakes_at)
  SELECT env, $3, id, name, op, status, ROW_NUMBER() OVER (ORDER BY position) - 1, input, output, error,
    $4, NULL, $4, NULL
  FROM steps WHERE env = $1 AND run_id = $2 AND position IS NOT NULL`;

const KEEP_COMPLETED = `${KEEP} AND status = 'completed' RETURNING id`;

const KEEP_BEFORE = `${KEEP} AND position < $5 RETURNING id`;

// Apps that have answered the old run keep to the version that its steps were hashed by.
const MARK_RERUN = `UPDATE runs SET rerun_of = $3, kept_steps = $4, request_version =
    CASE WHEN $4 > 0 THEN (SELECT request_version FROM runs AS old WHERE old.env = $1 AND old.id = $3)
    ELSE request_version END
  WHERE env = $1 AND id = $2`;
