import { rows, run, type Sql } from "../sql.ts";

export interface PurgeArgs {
  env: string;
  /** What was received before this is removed, ms since the epoch. */
  before: number;
  /** Events looked at in this step. */
  limit: number;
  /** Where the last step ended, so that events kept for their runs are not looked at again and again. */
  after: { receivedAt: number; id: string };
}

export interface PurgeResult {
  events: number;
  runs: number;
  /** Where to go on; null when nothing older is left. */
  next: { receivedAt: number; id: string } | null;
}

/**
 * Remove the oldest events together with the runs they started. Events with a run in flight are kept until that has
 * ended. Small steps: the writer does other work in between.
 */
export function* purge(args: PurgeArgs): Sql<PurgeResult> {
  const { env, before, limit, after } = args;
  const events = yield* rows<{ id: string; received_at: number }>(
    `SELECT id, received_at FROM events
     WHERE env = $1 AND (received_at, id) > ($2, $3) AND received_at < $4 ORDER BY received_at, id LIMIT $5`,
    [env, after.receivedAt, after.id, before, limit],
  );
  let removedEvents = 0;
  let removedRuns = 0;
  for (const event of events) {
    const runs = yield* rows<{ id: string; status: string }>(
      "SELECT id, status FROM runs WHERE env = $1 AND event_id = $2",
      [env, event.id],
    );
    if (runs.some(({ status }) => status === "queued" || status === "running")) continue;
    for (const { id } of runs) {
      yield* run("DELETE FROM steps WHERE env = $1 AND run_id = $2", [env, id]);
      yield* run("DELETE FROM attempts WHERE env = $1 AND run_id = $2", [env, id]);
      yield* run("DELETE FROM run_logs WHERE env = $1 AND run_id = $2", [env, id]);
      yield* run("DELETE FROM runs WHERE env = $1 AND id = $2", [env, id]);
    }
    yield* run("DELETE FROM events WHERE env = $1 AND id = $2", [env, event.id]);
    removedEvents++;
    removedRuns += runs.length;
  }
  const last = events.length === limit ? events.at(-1) : undefined;
  return {
    events: removedEvents,
    runs: removedRuns,
    next: last === undefined ? null : { receivedAt: last.received_at, id: last.id },
  };
}
