import { inList } from "../in-list.ts";
import type { RunRecord } from "../records.ts";
import { rows, type Sql } from "../sql.ts";

/** What a list of events tells of a run. */
export type ListedRun = Pick<RunRecord, "id" | "function_id" | "status">;

/** Runs that are told of one event. */
const MAX_RUNS = 10;
/** Runs that are read for one list: a page has 200 events at most. */
const MAX_READ = 2_000;

/** The first ten runs of each event, by the event's id. */
export function* runsOfEvents(env: string, eventIds: readonly string[]): Sql<Map<string, ListedRun[]>> {
  const found = new Map<string, ListedRun[]>();
  if (eventIds.length === 0) return found;
  const { list, values } = inList(eventIds, 2);
  const listed = yield* rows<ListedRun & { event_id: string }>(
    // `hit` needs the index of events only, so SQLite takes it; asked for the rest at once, it would read all runs.
    `SELECT hit.event_id, runs.id, runs.function_id, runs.status
     FROM runs AS hit JOIN runs ON runs.env = hit.env AND runs.id = hit.id
     WHERE hit.env = $1 AND hit.event_id IN (${list}) ORDER BY hit.event_id, hit.id LIMIT ${MAX_READ}`,
    [env, ...values],
  );
  for (const { event_id, ...run } of listed) {
    const runs = found.get(event_id);
    if (runs === undefined) found.set(event_id, [run]);
    else if (runs.length < MAX_RUNS) runs.push(run);
  }
  return found;
}
