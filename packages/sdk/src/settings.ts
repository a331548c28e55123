/** Where the service is and how to speak to it, from the client's options and the environment. */
import { splitSigningKey } from "@svc/protocol";
import { SdkError } from "./errors.ts";

/** The part of `new Client(options)` that can also come from environment variables. */
export interface ConnectionOptions {
  /** Key to send events with. Default: `SVC_EVENT_KEY`. Not needed in dev mode. */
  eventKey?: string | undefined;
  /** Address of the service. Default: `SVC_BASE_URL`; in dev mode `http://127.0.0.1:8288`. */
  baseUrl?: string | undefined;
  /** Name of a branch environment. Default: `SVC_ENV`. */
  env?: string | undefined;
  /** Key that signs calls between service and app. Default: `SVC_SIGNING_KEY`. */
  signingKey?: string | undefined;
  /** Accepted beside the signing key while keys are rotated. Default: `SVC_SIGNING_KEY_FALLBACK`. */
  signingKeyFallback?: string | undefined;
  /** Work with a local dev server: no keys, no signatures. Default: whether `SVC_DEV` is set. */
  isDev?: boolean | undefined;
}

export type EnvironmentVariables = Record<string, string | undefined>;

/** Resolved settings. What is missing stays `undefined` until something needs it. */
export interface Settings {
  mode: "dev" | "cloud";
  baseUrl: string | undefined;
  eventKey: string | undefined;
  env: string | undefined;
  signingKey: string | undefined;
  signingKeyFallback: string | undefined;
  /** Scheme, host and port under which the service reaches the app; `serve()` has an option that wins. */
  serveOrigin: string | undefined;
}

const DEV_SERVER = "http://127.0.0.1:8288";
const OFF = new Set(["", "0", "false", "no", "off"]);

/**
 * Resolve options over environment variables over defaults. Nothing missing throws here, so that an app can
 * be imported (by a bundler, a test) without any settings; `requireBaseUrl` and its like throw on use.
 */
export function resolveSettings(
  options: ConnectionOptions,
  variables: EnvironmentVariables = processVariables(),
): Settings {
  const read = (name: string): string | undefined => variables[name]?.trim() || undefined;
  const dev = read("SVC_DEV");
  const devUrl = dev && /^https?:\/\//.test(dev) ? dev : undefined;
  const isDev = options.isDev ?? (dev !== undefined && !OFF.has(dev.toLowerCase()));
  const baseUrl =
    options.baseUrl ?? (isDev ? (devUrl ?? read("SVC_BASE_URL") ?? DEV_SERVER) : read("SVC_BASE_URL"));
  return {
    mode: isDev ? "dev" : "cloud",
    baseUrl: baseUrl === undefined ? undefined : checkedUrl(baseUrl),
    eventKey: options.eventKey ?? read("SVC_EVENT_KEY"),
    env: options.env ?? read("SVC_ENV"),
    signingKey: checkedSigningKey(options.signingKey ?? read("SVC_SIGNING_KEY")),
    signingKeyFallback: checkedSigningKey(options.signingKeyFallback ?? read("SVC_SIGNING_KEY_FALLBACK")),
    serveOrigin: read("SVC_SERVE_ORIGIN"),
  };
}

/** The service's address without a trailing slash. */
export function requireBaseUrl(settings: Settings): string {
  if (settings.baseUrl === undefined) throw new SdkError("base_url_missing");
  return settings.baseUrl;
}

/** The key to send with; dev servers take any. */
export function requireEventKey(settings: Settings): string {
  if (settings.eventKey !== undefined) return settings.eventKey;
  if (settings.mode === "dev") return "dev";
  throw new SdkError("event_key_missing");
}

/** The signing key, or `undefined` in dev mode, where nothing is signed. */
export function requireSigningKey(settings: Settings): string | undefined {
  if (settings.mode === "dev") return undefined;
  if (settings.signingKey === undefined) throw new SdkError("signing_key_missing");
  return settings.signingKey;
}

function checkedUrl(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new SdkError(
      "base_url_invalid",
      `The address of the svc service must be an http or https URL, not "${url}".`,
    );
  }
  return url.replace(/\/+$/, "");
}

function checkedSigningKey(key: string | undefined): string | undefined {
  if (key !== undefined && !splitSigningKey(key)) throw new SdkError("signing_key_invalid");
  return key;
}

/** `process.env` where there is one; browsers and some edge runtimes have none. */
function processVariables(): EnvironmentVariables {
  return (globalThis as { process?: { env?: EnvironmentVariables } }).process?.env ?? {};
}
