/**
 * Pages of newest rows first. Rows come by way of one or more lanes, each an index range in order of the page;
 * what no index can tell is left to a filter that looks at a bounded number of rows per page.
 */
import type { Sql } from "./sql.ts";

/** The keys below a key in one index range, newest first, at most `limit`. */
export type Lane<Key> = (below: Key, limit: number) => Sql<Key[]>;

/** Which of some keys' rows belong on the page, and how many bytes had to be read to tell. */
export type Filter<Key> = (keys: Key[]) => Sql<{ matches: Key[]; bytes: number }>;

export interface ScanOptions<Key> {
  lanes: Lane<Key>[];
  /** Exclusive upper end: the cursor, or a key above all. */
  below: Key;
  limit: number;
  /** Negative when `a` is newer than `b`. */
  compare(a: Key, b: Key): number;
  filter: Filter<Key> | null;
}

export interface Scanned<Key> {
  keys: Key[];
  /** Where the next page begins; null when nothing is left. */
  next: Key | null;
}

/** Rows and bytes a filter looks at for one page: some 50 ms of a reader's time. */
const SCAN_ROWS = 2_000;
const SCAN_BYTES = 32 * 1024 * 1024;
/** Rows handed to a filter at once. */
const FILTER_CHUNK = 100;

/** The next page of keys. With a filter it may be short, even empty, though more is left. */
export function* scanNewestFirst<Key>(options: ScanOptions<Key>): Sql<Scanned<Key>> {
  const { lanes, limit, compare, filter } = options;
  let below = options.below;
  if (filter === null) {
    const { keys } = yield* nextKeys(lanes, below, limit + 1, compare);
    const page = keys.slice(0, limit);
    return { keys: page, next: keys.length > limit ? page.at(-1)! : null };
  }
  const found: Key[] = [];
  let rows = 0;
  let bytes = 0;
  while (rows < SCAN_ROWS && bytes < SCAN_BYTES) {
    const { keys, exhausted } = yield* nextKeys(lanes, below, FILTER_CHUNK, compare);
    if (keys.length > 0) {
      const looked = yield* filter(keys);
      found.push(...looked.matches);
      bytes += looked.bytes;
      rows += keys.length;
      below = keys.at(-1)!;
    }
    if (found.length > limit) return { keys: found.slice(0, limit), next: found[limit - 1]! };
    if (exhausted) return { keys: found, next: null };
  }
  return { keys: found, next: below };
}

/** The newest keys of all lanes together. */
function* nextKeys<Key>(
  lanes: Lane<Key>[],
  below: Key,
  limit: number,
  compare: (a: Key, b: Key) => number,
): Sql<{ keys: Key[]; exhausted: boolean }> {
  const keys: Key[] = [];
  let exhausted = true;
  for (const lane of lanes) {
    const part = yield* lane(below, limit);
    if (part.length === limit) exhausted = false;
    keys.push(...part);
  }
  if (lanes.length > 1) keys.sort(compare);
  // A row may lie in two lanes.
  const distinct = keys.filter((key, i) => i === 0 || compare(keys[i - 1]!, key) !== 0);
  if (distinct.length > limit) exhausted = false;
  return { keys: distinct.slice(0, limit), exhausted };
}

/** The first rows that fit into `maxBytes` together, one at least. */
export function fitting<T extends { bytes: number }>(rows: readonly T[], maxBytes: number): T[] {
  let left = maxBytes;
  const end = rows.findIndex((row, i) => {
    left -= row.bytes;
    return left < 0 && i > 0;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}
