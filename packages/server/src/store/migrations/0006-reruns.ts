/** What a rerun took over, and the names of steps that have only failed so far. */
export const name = "reruns";

export function up(): string[] {
  return [
    "ALTER TABLE runs ADD COLUMN rerun_of TEXT",
    "ALTER TABLE runs ADD COLUMN kept_steps INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE attempts ADD COLUMN step_name TEXT",
  ];
}
