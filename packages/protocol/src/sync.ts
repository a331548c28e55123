/** What an app says about itself when it syncs. */

/** One thing that starts a function: an event name (maybe ending in a wildcard) or a schedule. */
export type Trigger = { event: string; expression?: string } | { cron: string };

/** A function as it is registered. `id` is `<app>-<function>`. */
export interface FunctionConfig {
  id: string;
  name?: string;
  triggers: Trigger[];
  steps: Record<
    string,
    { id: string; name?: string; runtime: { type: "http"; url: string }; retries?: { attempts?: number } }
  >;
  concurrency?: unknown;
  throttle?: unknown;
  rateLimit?: unknown;
  debounce?: unknown;
  batchEvents?: unknown;
  priority?: unknown;
  idempotency?: string;
  cancel?: { event: string; if?: string; timeout?: string }[];
  timeouts?: { start?: string; finish?: string };
  singleton?: unknown;
  checkpoint?: unknown;
}

/** Body of `POST /fn/register`. */
export interface SyncRequest {
  url: string;
  deployType: "ping";
  framework?: string;
  appName: string;
  sdk: string;
  v: "0.1";
  functions: FunctionConfig[];
  capabilities?: Record<string, string>;
}

/** Retries when a function names none: 5 attempts in all. */
export const DEFAULT_RETRIES = 4;
