import type { Dialect } from "../sql.ts";

/** Log lines that runs have written. */
export const name = "run-logs";

export function up(dialect: Dialect): string[] {
  return [
    // A row per report of the app. `lines` and `bytes` count those before it, too, so that the last row tells how much
    // a run has written. What is asked for most stands before the text, which fills pages of its own.
    `CREATE TABLE run_logs (
       env TEXT NOT NULL, run_id TEXT NOT NULL, id INTEGER NOT NULL, attempt INTEGER, lines INTEGER NOT NULL,
       bytes INTEGER NOT NULL, text TEXT NOT NULL,
       PRIMARY KEY (env, run_id, id)) ${dialect.clusteredTable}`,
  ];
}
