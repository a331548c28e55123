/** A transform that is being changed. */

export interface Draft {
  text: string;
  /** The version it was made of: saving says so, so that nobody writes over somebody else's work unseen. */
  base: number;
}

/** The draft after an edit; null when it is what is in use. */
export function draftOf(text: string, before: Draft | null, inUse: { transform: string; version: number }) {
  if (text === inUse.transform) return null;
  return { text, base: before?.base ?? inUse.version };
}

/**
 * Where a line and column of a text are, characters from 0.
 * @param place from 1; without a column the whole line is meant
 */
export function rangeOf(
  text: string,
  place: { line: number; column: number | null },
): { from: number; to: number } {
  const lines = text.split("\n");
  const line = Math.min(place.line, lines.length);
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const end = start + lines[line - 1]!.length;
  const from = place.column === null ? start : Math.min(start + place.column - 1, end);
  return { from, to: Math.max(end, from) };
}
