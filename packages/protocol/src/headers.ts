/**
 * Header names. Every header exists under two prefixes, one per dialect: apps on our own SDK speak
 * `x-svc-…`, clients of the public Inngest SDK specification speak `x-inngest-…`.
 */
export type Dialect = "svc" | "inngest";

/** Header names without their dialect prefix. */
export const HEADER = {
  env: "env",
  sdk: "sdk",
  framework: "framework",
  signature: "signature",
  serverKind: "server-kind",
  expectedServerKind: "expected-server-kind",
  requestVersion: "req-version",
  noRetry: "no-retry",
  syncKind: "sync-kind",
  eventIdSeed: "event-id-seed",
  /** On events sent by a step: the run they come from. */
  runId: "run-id",
  generationId: "generation-id",
  jobId: "job-id",
  stepId: "step-id",
  /** On calls: the service takes log lines. On answers: this one is an envelope with some. Our own dialect only. */
  logs: "logs",
} as const;

/**
 * The full header name of a dialect.
 * @example headerName("svc", HEADER.env) // "x-svc-env"
 */
export function headerName(dialect: Dialect, name: (typeof HEADER)[keyof typeof HEADER]): string {
  return `x-${dialect}-${name}`;
}

/** Put together once: this is asked several times for every event that comes in. */
const FULL_NAMES = Object.fromEntries(
  Object.values(HEADER).map((name) => [name, [headerName("svc", name), headerName("inngest", name)]]),
) as Record<(typeof HEADER)[keyof typeof HEADER], [ours: string, theirs: string]>;

/**
 * Read a header in either dialect (ours wins) from lower-cased request headers.
 * @example readHeader({ "x-inngest-env": "staging" }, HEADER.env) // "staging"
 */
export function readHeader(
  headers: Record<string, string | string[] | undefined>,
  name: (typeof HEADER)[keyof typeof HEADER],
): string | undefined {
  const [ours, theirs] = FULL_NAMES[name];
  const value = headers[ours] ?? headers[theirs];
  return Array.isArray(value) ? value[0] : value;
}

/** Which dialect a set of lower-cased headers speaks; ours unless only `x-inngest-sdk` is there. */
export function dialectOf(headers: Record<string, string | string[] | undefined>): Dialect {
  return headers["x-svc-sdk"] === undefined && headers["x-inngest-sdk"] !== undefined ? "inngest" : "svc";
}
