/** Counts per bucket of time: the parameters that say which, and answers without gaps. */
import { ServiceError } from "../errors.ts";
import { toIso } from "./answers.ts";
import { durationParameter, timeParameter } from "./parameters.ts";

const DAY_MS = 86_400_000;
const MAX_BUCKETS = 1_000;
/** Lengths to choose from when none is asked for: the first that gives 100 buckets or fewer. */
const BUCKETS_MS = [1, 5, 15, 60, 300, 900, 3_600, 10_800, 21_600, 86_400, 604_800].map((s) => s * 1_000);

/**
 * The parameters of a route that counts.
 * @param verb what happens to what is counted: "Received", "Queued"
 */
export function bucketParameters(verb: string) {
  return {
    after: timeParameter(`${verb} at or after; a day before \`before\` if not given.`),
    before: timeParameter(`${verb} before; now if not given.`),
    bucket: durationParameter("Length of a bucket; about a hundredth of the time asked for if not given."),
  };
}

/** A range of time in buckets of one length. Times in ms; buckets are numbered by their start divided by the length. */
export interface TimeBuckets {
  after: number;
  before: number;
  bucketMs: number;
  first: number;
  last: number;
}

interface Asked {
  after?: number | undefined;
  before?: number | undefined;
  bucket?: number | undefined;
}

/**
 * The buckets a request asks for.
 * @throws ServiceError `invalid_request` when the range is empty or has more than 1,000 buckets
 */
export function chooseBuckets(asked: Asked, now: number): TimeBuckets {
  const before = asked.before ?? now + 1;
  const after = asked.after ?? Math.max(0, before - DAY_MS);
  if (after >= before) throw invalid("after", "`after` must be earlier than `before`.");
  const bucketMs =
    asked.bucket ?? BUCKETS_MS.find((ms) => (before - after) / ms <= 100) ?? BUCKETS_MS.at(-1)!;
  const first = Math.floor(after / bucketMs);
  const last = Math.floor((before - 1) / bucketMs);
  if (last - first >= MAX_BUCKETS) {
    throw invalid("bucket", `That would be more than ${MAX_BUCKETS} buckets: choose longer ones.`);
  }
  return { after, before, bucketMs, first, last };
}

/** Every bucket of a range, oldest first, those that nothing was counted in as `empty`. */
export function fillBuckets<T extends object>(
  { first, last, bucketMs }: TimeBuckets,
  counted: readonly (T & { bucket: number })[],
  empty: T,
): (T & { start: string })[] {
  const byBucket = new Map(counted.map(({ bucket, ...counts }) => [bucket, counts as unknown as T]));
  return Array.from({ length: last - first + 1 }, (_, i) => ({
    start: toIso((first + i) * bucketMs),
    ...(byBucket.get(first + i) ?? empty),
  }));
}

function invalid(field: string, sentence: string): ServiceError {
  return new ServiceError("invalid_request", sentence, { field });
}
