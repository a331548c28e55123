/** What the last sync of an app changed, for people who look at it. */
export const name = "app-changes";

export function up(): string[] {
  return ["ALTER TABLE apps ADD COLUMN last_change TEXT"];
}
