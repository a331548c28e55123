import type { RunRecord } from "../records.ts";
import { rows, type Sql } from "../sql.ts";

/** The runs an event started, in the order of their ids. */
export function* runsOfEvent(args: { env: string; eventId: string }): Sql<RunRecord[]> {
  return yield* rows<RunRecord>("SELECT * FROM runs WHERE env = $1 AND event_id = $2 ORDER BY id", [
    args.env,
    args.eventId,
  ]);
}
