/** How deep JSON may nest: everything that walks a value recursively, ourselves and `JSON.stringify`, has to survive it. */

/** Nesting of bodies, of requests and of answers alike: deep enough for any output, and no deeper than recursion can follow. */
export const MAX_JSON_DEPTH = 500;

/**
 * Whether a parsed JSON value nests deeper than so many levels.
 * @example isDeeperThan([[]], 1) // true
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeperThan(inner, levels - 1)) return true;
  return false;
}
