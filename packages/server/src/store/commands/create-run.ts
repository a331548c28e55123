import { firstRow, run, type Sql } from "../sql.ts";
import { EVENT_EXISTS, INSERT_FIRST_ITEM, INSERT_RUN, type PlannedRun } from "./accept-events.ts";

/**
 * Start one more run for an event that is stored already.
 * @returns false when the event is gone: nothing was written
 */
export function* createRun(args: {
  env: string;
  eventId: string;
  now: number;
  run: PlannedRun;
}): Sql<boolean> {
  if ((yield* firstRow(EVENT_EXISTS, [args.env, args.eventId])) === undefined) return false;
  const [runId, functionId, appId, dueAt] = args.run;
  yield* run(INSERT_RUN, [args.env, runId, functionId, appId, args.eventId, args.now]);
  yield* run(INSERT_FIRST_ITEM, [args.env, runId, appId, functionId, dueAt]);
  return true;
}
