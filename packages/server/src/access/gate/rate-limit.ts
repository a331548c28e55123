/** How many requests a key or webhook takes in a time: token buckets in memory. */
import * as z from "zod";

/** A bucket of `requests` tokens that fills up again within `per_ms`. */
export interface RateLimit {
  /** At least 1. */
  requests: number;
  /** Milliseconds. */
  per_ms: number;
}

export interface RateLimiter {
  /**
   * Take a token from the bucket of `id`.
   * @returns 0 when there was one; else the whole seconds until there is one again, for `retry-after`
   */
  take(id: string, limit: RateLimit): number;
  /** Buckets in memory. */
  size(): number;
}

interface Bucket {
  /** Tokens taken and not yet filled up, a fraction. */
  used: number;
  /** When `used` was right, ms. */
  at: number;
  /** When the bucket is full again, ms: then it is as good as none. */
  full_at: number;
}

/** Most buckets in memory: 11 MB and their ids. */
const MAX_BUCKETS = 100_000;
/** Buckets looked at with each new one: two, so that the walk overtakes those that come. */
const SWEPT = 2;
/** For sums of fractions that should be whole. */
const ROUNDING = 1e-6;

/**
 * Make a limiter. A full bucket lets `requests` through at once; then they come at the even rate. The limit is
 * given with each call, and a changed one counts from then on.
 *
 * Takes about 0.1 µs a call. No timers: every new bucket pays for a look at two others, and full ones are dropped.
 * Beyond `maxBuckets` one is dropped before it is full, which errs in favour of whoever it belongs to.
 * @param clock milliseconds; may step back
 * @example
 * const limiter = createRateLimiter({ now: Date.now });
 * const wait = limiter.take(keyId, { requests: 100, per_ms: 60_000 });
 * if (wait > 0) throw new ServiceError("rate_limited", undefined, { retry_after: wait });
 */
export function createRateLimiter(
  clock: { now(): number },
  { maxBuckets = MAX_BUCKETS }: { maxBuckets?: number } = {},
): RateLimiter {
  const buckets = new Map<string, Bucket>();
  // Iterators of a Map live on while entries come and go.
  let walk = buckets.entries();

  /** The next bucket of a walk that goes round for ever; undefined at its turning point. */
  const next = (): [string, Bucket] | undefined => {
    const step = walk.next();
    if (!step.done) return step.value;
    walk = buckets.entries();
    return undefined;
  };

  const makeRoom = (now: number): void => {
    for (let i = 0; i < SWEPT; i++) {
      const entry = next();
      if (entry !== undefined && entry[1].full_at <= now) buckets.delete(entry[0]);
    }
    while (buckets.size >= maxBuckets) {
      const entry = next();
      if (entry !== undefined) buckets.delete(entry[0]);
    }
  };

  return {
    take(id, { requests, per_ms }) {
      const now = clock.now();
      let bucket = buckets.get(id);
      if (bucket === undefined) {
        makeRoom(now);
        bucket = { used: 0, at: now, full_at: now };
        buckets.set(id, bucket);
      }
      const refilled = (Math.max(0, now - bucket.at) * requests) / per_ms;
      // Of a limit that was higher before, no more than all of this one is used up.
      bucket.used = Math.max(0, Math.min(bucket.used, requests) - refilled);
      bucket.at = now;
      const free = requests - bucket.used;
      const taken = free + ROUNDING >= 1;
      if (taken) bucket.used = Math.min(requests, bucket.used + 1);
      bucket.full_at = now + (bucket.used * per_ms) / requests;
      return taken ? 0 : Math.max(1, Math.ceil(((1 - free) * per_ms) / requests / 1_000 - ROUNDING));
    },
    size: () => buckets.size,
  };
}

const PER_MS = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const;

/** A limit as the API takes it; null is none. */
export const rateLimitSchema = z
  .strictObject({
    requests: z.int().min(1).max(1_000_000).describe("Requests in that time; as many may come at once."),
    per: z.enum(["second", "minute", "hour"]),
  })
  .nullable()
  .describe("How many requests are taken; null for any number. What is over it is answered with 429.")
  .meta({ id: "RateLimit" });

/**
 * The limiter's form of a limit of the API.
 * @example toRateLimit({ requests: 5, per: "minute" }) // { requests: 5, per_ms: 60000 }
 */
export function toRateLimit(limit: NonNullable<z.infer<typeof rateLimitSchema>>): RateLimit {
  return { requests: limit.requests, per_ms: PER_MS[limit.per] };
}
