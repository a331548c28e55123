/** Ranges of time as they stand in the address: `range=1h`, or `after` and `before` in milliseconds. */
export const RANGES = ["15m", "1h", "6h", "24h", "3d", "7d", "30d"] as const;
export type RangeName = (typeof RANGES)[number];

const DEFAULT_RANGE: RangeName = "24h";

/** The part of a page's address that says the range. */
export interface RangeSearch {
  range?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
}

export interface Range {
  /** Relative ranges end now, whenever that is. */
  name: RangeName | null;
  /** The same for the same range. */
  key: string;
  /** ms; `before` is undefined when the range ends now. */
  bounds(): { after: number; before?: number | undefined };
}

const LENGTHS_MS: Record<RangeName, number> = {
  "15m": 15 * 60_000,
  "1h": 3_600_000,
  "6h": 6 * 3_600_000,
  "24h": 24 * 3_600_000,
  "3d": 3 * 86_400_000,
  "7d": 7 * 86_400_000,
  "30d": 30 * 86_400_000,
};

/** In words, for menus. */
export const RANGE_LABELS: Record<RangeName, string> = {
  "15m": "Last 15 minutes",
  "1h": "Last hour",
  "6h": "Last 6 hours",
  "24h": "Last 24 hours",
  "3d": "Last 3 days",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

/**
 * The range of an address; the last day when it names none, or none that can be read.
 * @example readRange({ range: "1h" }).bounds() // { after: <an hour ago> }
 */
export function readRange(search: RangeSearch, now: () => number = Date.now): Range {
  const after = readTime(search.after);
  const before = readTime(search.before);
  if (after !== undefined && before !== undefined && after < before) {
    return { name: null, key: `${after}-${before}`, bounds: () => ({ after, before }) };
  }
  const name = RANGES.find((each) => each === search.range) ?? DEFAULT_RANGE;
  return { name, key: name, bounds: () => ({ after: now() - LENGTHS_MS[name] }) };
}

/** What an address says of a range; the default one leaves nothing in it. */
export function rangeSearch(range: RangeName | { after: number; before: number }): Required<RangeSearch> {
  if (typeof range === "string") {
    return { range: range === DEFAULT_RANGE ? undefined : range, after: undefined, before: undefined };
  }
  return {
    range: undefined,
    after: String(Math.floor(range.after)),
    before: String(Math.ceil(range.before)),
  };
}

function readTime(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const time = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isFinite(time) ? time : undefined;
}
