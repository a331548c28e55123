/** Lists of values in SQL, in few lengths: every text of a statement is compiled and kept. */
import type { SqlValue } from "./sql.ts";

const LENGTHS = [1, 20, 100, 200];

/**
 * Numbered parameters for `IN (…)`, filled up with the last value to one of a few lengths.
 * @param first number of the first parameter
 * @example inList(["a", "b"], 2) // { list: "$2, $3, … $21", values: ["a", "b", "b", …] }
 */
export function inList(values: readonly SqlValue[], first: number): { list: string; values: SqlValue[] } {
  const length = LENGTHS.find((candidate) => candidate >= values.length);
  if (length === undefined || values.length === 0) throw new Error(`a list of ${values.length} values`);
  const last = values.at(-1)!;
  return {
    list: Array.from({ length }, (_, i) => `$${first + i}`).join(", "),
    values: Array.from({ length }, (_, i) => values[i] ?? last),
  };
}

/** A `LIKE … ESCAPE '\\'` pattern for texts that contain `text`. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
