import { firstRow, run, type Sql } from "../sql.ts";

/** Log lines as a transition adds them: what one call or checkpoint has brought. */
export interface RunLogs {
  /** Attempt of the call, from 0. */
  attempt: number;
  /** How many lines. */
  count: number;
  /** JSON array of lines. */
  text: string;
}

/** What one run may keep: lines, and bytes of their JSON. */
export const RUN_LOG_LIMITS = { lines: 10_000, bytes: 1024 * 1024 } as const;

/**
 * Keep log lines of a run, in one row. Lines that would pass the bounds are left out with all that follow, and one
 * line says so: its row has no attempt.
 */
export function* keepRunLogs(env: string, runId: string, now: number, logs: RunLogs): Sql<void> {
  const last = yield* firstRow<{ id: number; attempt: number | null; lines: number; bytes: number }>(
    LAST_ROW,
    [env, runId],
  );
  if (last !== undefined && last.attempt === null) return;
  const id = (last?.id ?? 0) + 1;
  const lines = (last?.lines ?? 0) + logs.count;
  const bytes = (last?.bytes ?? 0) + Buffer.byteLength(logs.text);
  if (lines > RUN_LOG_LIMITS.lines || bytes > RUN_LOG_LIMITS.bytes) {
    const note = [{ at: now, level: "warn", text: FULL }];
    yield* run(INSERT_ROW, [env, runId, id, null, lines, bytes, JSON.stringify(note)]);
    return;
  }
  yield* run(INSERT_ROW, [env, runId, id, logs.attempt, lines, bytes, logs.text]);
}

const FULL =
  "Later lines of this run were not kept: 10,000 lines and 1 MB are the most there may be of one run.";

const LAST_ROW = `SELECT id, attempt, lines, bytes FROM run_logs
  WHERE env = $1 AND run_id = $2 ORDER BY id DESC LIMIT 1`;

const INSERT_ROW = `INSERT INTO run_logs (env, run_id, id, attempt, lines, bytes, text)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;
