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
    `SELECT event_id, id, function_id, status FROM runs WHERE env = $1 AND event_id IN (${list})
     ORDER BY event_id, id LIMIT ${MAX_READ}`,
    [env, ...values],
  );
  for (const { event_id, ...run } of listed) {
    const runs = found.get(event_id);
    if (runs === undefined) found.set(event_id, [run]);
    else if (runs.length < MAX_RUNS) runs.push(run);
  }
  return found;
}
