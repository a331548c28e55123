import { rows, type Sql } from "../sql.ts";

/** The names of events that patterns stand for: all of them, or as many as asked for and the word that there are more. */
export function* namesFor(
  env: string,
  patterns: string[],
  most: number,
): Sql<{ names: string[]; complete: boolean }> {
  const names = new Set<string>();
  for (const pattern of patterns) {
    if (!pattern.endsWith("*")) {
      names.add(pattern);
      continue;
    }
    for (const name of yield* namesWith(env, pattern.slice(0, -1), most + 1)) names.add(name);
    if (names.size > most) return { names: [...names].slice(0, most), complete: false };
  }
  return { names: [...names], complete: true };
}

/**
 * The names of events that begin with a prefix, in order. Jumps from name to name in the index, however many events
 * there are of each.
 */
export function* namesWith(env: string, prefix: string, limit: number): Sql<string[]> {
  const names: string[] = [];
  let comparison = ">=";
  for (let last = prefix; names.length < limit; comparison = ">") {
    const [found] = yield* rows<{ name: string }>(
      `SELECT name FROM events WHERE env = $1 AND name ${comparison} $2 ORDER BY name LIMIT 1`,
      [env, last],
    );
    if (found === undefined || !found.name.startsWith(prefix)) break;
    last = found.name;
    names.push(last);
  }
  return names;
}
