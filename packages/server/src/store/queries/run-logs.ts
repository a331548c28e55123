import type { LogLine } from "@svc/protocol";
import { rows, type Sql } from "../sql.ts";

interface Report {
  attempt: number | null;
  /** JSON array of lines. */
  text: string;
}

/**
 * The log lines of a run as the API shows them, in JSON text, oldest first. Put together here because queries have a
 * thread of their own: 10,000 lines take tens of milliseconds, in which the main thread would answer nobody.
 * @example '[{"at":"2026-05-01T12:00:00.000Z","level":"info","text":"hello","step_id":null,"attempt":0}]'
 */
export function* runLogs(env: string, runId: string): Sql<string> {
  const reports = yield* rows<Report>(
    "SELECT attempt, text FROM run_logs WHERE env = $1 AND run_id = $2 ORDER BY id",
    [env, runId],
  );
  if (reports.length === 0) return "[]";
  const lines = reports.flatMap(({ attempt, text }) =>
    (JSON.parse(text) as LogLine[]).map((line) => ({ attempt, line })),
  );
  // By their time, as parallel steps report theirs step by step; the service's own line, which ends them, stays last.
  lines.sort((a, b) => Number(a.attempt === null) - Number(b.attempt === null) || a.line.at - b.line.at);
  return JSON.stringify(
    lines.map(({ attempt, line: { at, level, text, step } }) => ({
      at: new Date(at).toISOString(),
      level,
      text,
      step_id: step ?? null,
      attempt,
    })),
  );
}
