/** Chance that can be repeated: the same seed gives the same numbers. */

export interface Random {
  /** From 0 (inclusive) to 1. */
  (): number;
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  bytes(count: number): Uint8Array;
}

/**
 * Make a generator (mulberry32).
 * @example const random = seededRandom(7); random.between(20, 800);
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return Object.assign(next, {
    between,
    pick: <T>(list: readonly T[]): T => list[between(0, list.length - 1)]!,
    bytes: (count: number): Uint8Array => Uint8Array.from({ length: count }, () => between(0, 255)),
  });
}
