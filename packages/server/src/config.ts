/** Every setting of the service, resolved. */
export interface Config {
  mode: "dev" | "start";
  host: string;
  port: number;
  /** Where the embedded store lives; null keeps nothing after the process ends. */
  dataDir: string | null;
  eventKeys: string[];
  signingKeys: string[];
  apiTokens: string[];
  /** App URLs to sync at start (and, in dev, every few seconds). */
  appUrls: string[];
  /** dev: look for apps on common ports and paths. */
  discovery: boolean;
  /** dev: sync known apps again and again. */
  poll: boolean;
  pollIntervalMs: number;
  /** First retry delay, ms; the later ones keep their ratio to it. */
  retryBaseMs: number;
  /** Largest body of a send request, decoded bytes. */
  maxRequestBytes: number;
  /** Longest a call to an app may take, ms. */
  callTimeoutMs: number;
  /** Calls under way at once to one app. */
  appConcurrency: number;
  maxStepsPerRun: number;
  /** Age after which events and finished runs are removed, ms. */
  retentionMs: number;
  /** Size of the store after which the oldest are removed, bytes; null: no such bound. */
  retentionBytes: number | null;
  /** Allow calls to link-local and metadata addresses. */
  allowLinkLocal: boolean;
  /** Take the client's address and scheme from x-forwarded-* headers. */
  trustProxy: boolean;
  metricsToken: string | null;
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
  logFormat: "pretty" | "json";
  /** Longest a graceful stop waits for calls under way, ms. */
  shutdownGraceMs: number;
}
