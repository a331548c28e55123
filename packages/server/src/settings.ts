/**
 * Every setting of the service, one row each. `--help`, `docs/configuration.md` and the resolved `Config`
 * all come from this table; a field of `Config` without a row here does not compile.
 */
import type { Config } from "./config.ts";
import {
  duration,
  httpUrl,
  type Kind,
  listOf,
  oneOf,
  onOff,
  opaqueKey,
  optional,
  signingKey,
  size,
  text,
  urlPath,
  wholeNumber,
} from "./setting-kinds.ts";

export type Mode = Config["mode"];

export interface Setting<T> {
  group: (typeof GROUPS)[number];
  /** Without the dashes. A switch that is on by default is shown, and used, as `--no-<flag>`. */
  flag: string;
  short?: string;
  env: string;
  kind: Kind<T>;
  /** The value when it is not given; the modes it has a value for are not always those it can be set in. */
  defaults: Record<Mode, T>;
  /** The modes it can be set in. */
  modes: Mode[];
  /** One sentence for `--help` and the documentation. */
  meaning: string;
  /** In words, where the default value alone says too little. */
  defaultNote?: Partial<Record<Mode, string>>;
}

/** Headings of `--help`, in this order. */
export const GROUPS = ["Listening", "Storage", "Keys", "Apps", "Runs", "Limits", "Observing"] as const;

const BOTH: Mode[] = ["dev", "start"];
const DEV: Mode[] = ["dev"];
const START: Mode[] = ["start"];

function always<T>(value: T): Record<Mode, T> {
  return { dev: value, start: value };
}

type Settings = { [K in Exclude<keyof Config, "mode">]: Setting<Config[K]> } & { inMemory: Setting<boolean> };

export const SETTINGS: Settings = {
  host: {
    group: "Listening",
    flag: "host",
    env: "SVC_HOST",
    kind: text("address", "an address to listen on, such as 127.0.0.1"),
    defaults: { dev: "127.0.0.1", start: "0.0.0.0" },
    modes: BOTH,
    meaning: "Address to listen on.",
  },
  port: {
    group: "Listening",
    flag: "port",
    short: "p",
    env: "SVC_PORT",
    kind: wholeNumber(0, 65535),
    defaults: always(8288),
    modes: BOTH,
    meaning: "Port to listen on; 0 takes any free one.",
  },
  basePath: {
    group: "Listening",
    flag: "base-path",
    env: "SVC_BASE_PATH",
    kind: urlPath,
    defaults: always("/"),
    modes: BOTH,
    meaning: "Path under which a proxy shows the service, where that is not the root of a host.",
  },
  trustProxy: {
    group: "Listening",
    flag: "trust-proxy",
    env: "SVC_TRUST_PROXY",
    kind: onOff,
    defaults: always(false),
    modes: BOTH,
    meaning: "Take the client's address and scheme from x-forwarded-* headers. Only behind your own proxy.",
  },
  shutdownGraceMs: {
    group: "Listening",
    flag: "shutdown-grace",
    env: "SVC_SHUTDOWN_GRACE",
    kind: duration("0s", "1h"),
    // Docker kills a container 10 s after it asked it to stop.
    defaults: { dev: 1_000, start: 8_000 },
    modes: BOTH,
    meaning: "Longest a graceful stop waits for work under way. What is cut off is repeated after the start.",
  },
  dataDir: {
    group: "Storage",
    flag: "data-dir",
    env: "SVC_DATA_DIR",
    kind: optional(text("directory", "a directory")),
    defaults: { dev: ".svc/", start: "./svc-data" },
    modes: BOTH,
    meaning: "Directory of the embedded store; it is made if it is missing.",
  },
  inMemory: {
    group: "Storage",
    flag: "in-memory",
    env: "SVC_IN_MEMORY",
    kind: onOff,
    defaults: always(false),
    modes: BOTH,
    meaning: "Keep nothing after the process ends: for trials and tests.",
  },
  retentionMs: {
    group: "Storage",
    flag: "retention",
    env: "SVC_RETENTION",
    kind: duration("1h", "36500d"),
    defaults: always(30 * 86_400_000),
    modes: BOTH,
    meaning: "Age after which events, webhook requests and finished runs are removed.",
  },
  retentionBytes: {
    group: "Storage",
    flag: "retention-size",
    env: "SVC_RETENTION_SIZE",
    kind: optional(size("16MiB", "1024TiB")),
    defaults: always(null),
    defaultNote: always("no bound"),
    modes: BOTH,
    meaning:
      "Size of the store after which the oldest events, webhook requests and finished runs are removed.",
  },
  auditRetentionMs: {
    group: "Storage",
    flag: "audit-retention",
    env: "SVC_AUDIT_RETENTION",
    kind: duration("1d", "36500d"),
    defaults: always(365 * 86_400_000),
    modes: BOTH,
    meaning: "Age after which entries of the audit log are removed.",
  },
  eventKeys: {
    group: "Keys",
    flag: "event-key",
    env: "SVC_EVENT_KEY",
    kind: listOf(opaqueKey),
    defaults: always([]),
    defaultNote: { dev: "any key is accepted", start: "none: keys are made in the service" },
    modes: BOTH,
    meaning: "Key that senders put into /e/<event key>.",
  },
  signingKeys: {
    group: "Keys",
    flag: "signing-key",
    env: "SVC_SIGNING_KEY",
    kind: listOf(signingKey),
    defaults: always([]),
    defaultNote: { dev: "calls are not signed", start: "none: keys are made in the service" },
    modes: BOTH,
    meaning: "Key that signs every call between the service and its apps. The first signs; all are accepted.",
  },
  apiTokens: {
    group: "Keys",
    flag: "api-token",
    env: "SVC_API_TOKEN",
    kind: listOf(opaqueKey),
    defaults: always([]),
    defaultNote: { dev: "the API is open", start: "none: people log in" },
    modes: BOTH,
    meaning: "Bearer token with all rights on the API, also those of an owner.",
  },
  secretKey: {
    group: "Keys",
    flag: "secret-key",
    env: "SVC_SECRET_KEY",
    kind: optional(opaqueKey),
    defaults: always(null),
    defaultNote: always("made at the first start, kept in the data directory"),
    modes: BOTH,
    meaning: "Key that encrypts stored signing keys and webhook addresses.",
  },
  metricsToken: {
    group: "Keys",
    flag: "metrics-token",
    env: "SVC_METRICS_TOKEN",
    kind: optional(opaqueKey),
    defaults: always(null),
    defaultNote: always("/metrics answers this machine only"),
    modes: BOTH,
    meaning: "Bearer token with which /metrics answers other machines.",
  },
  appUrls: {
    group: "Apps",
    flag: "url",
    short: "u",
    env: "SVC_APP_URL",
    kind: listOf(httpUrl),
    defaults: always([]),
    defaultNote: { dev: "found by itself", start: "apps sync themselves" },
    modes: BOTH,
    meaning: "Address of an app to sync at start.",
  },
  discovery: {
    group: "Apps",
    flag: "discovery",
    env: "SVC_DISCOVERY",
    kind: onOff,
    defaults: { dev: true, start: false },
    modes: DEV,
    defaultNote: { dev: "it looks" },
    meaning: "Do not look for apps on common ports and paths.",
  },
  poll: {
    group: "Apps",
    flag: "poll",
    env: "SVC_POLL",
    kind: onOff,
    defaults: { dev: true, start: false },
    modes: DEV,
    defaultNote: { dev: "it syncs them" },
    meaning: "Do not sync known apps again and again.",
  },
  pollIntervalMs: {
    group: "Apps",
    flag: "poll-interval",
    env: "SVC_POLL_INTERVAL",
    kind: duration("100ms", "1h"),
    defaults: always(5_000),
    modes: DEV,
    meaning: "Time between two looks at the apps.",
  },
  allowLinkLocal: {
    group: "Apps",
    flag: "allow-link-local",
    env: "SVC_ALLOW_LINK_LOCAL",
    kind: onOff,
    defaults: always(false),
    modes: BOTH,
    meaning: "Allow calls to link-local and cloud metadata addresses.",
  },
  retryBaseMs: {
    group: "Runs",
    flag: "retry-base",
    env: "SVC_RETRY_BASE",
    kind: duration("1ms", "1h"),
    defaults: always(15_000),
    modes: BOTH,
    meaning: "Delay before the first retry; the later ones (30s, 1m, 2m … at 15s) keep their ratio to it.",
  },
  callTimeoutMs: {
    group: "Runs",
    flag: "call-timeout",
    env: "SVC_CALL_TIMEOUT",
    kind: duration("100ms", "24h"),
    defaults: always(2 * 3_600_000),
    modes: BOTH,
    meaning: "Longest a call to an app may take.",
  },
  appConcurrency: {
    group: "Runs",
    flag: "app-concurrency",
    env: "SVC_APP_CONCURRENCY",
    kind: wholeNumber(1, 10_000),
    defaults: always(100),
    modes: BOTH,
    meaning: "Calls under way at once to one app.",
  },
  maxStepsPerRun: {
    group: "Limits",
    flag: "max-steps",
    env: "SVC_MAX_STEPS",
    kind: wholeNumber(1, 100_000),
    defaults: always(1_000),
    modes: BOTH,
    meaning: "Steps one run may have.",
  },
  maxRequestBytes: {
    group: "Limits",
    flag: "max-request-size",
    env: "SVC_MAX_REQUEST_SIZE",
    kind: size("1KiB", "64MiB"),
    defaults: always(512 * 1024),
    modes: BOTH,
    meaning: "Largest body of a request that sends events, after decompression.",
  },
  branchArchiveAfterMs: {
    group: "Limits",
    flag: "branch-archive-after",
    env: "SVC_BRANCH_ARCHIVE_AFTER",
    kind: duration("1h", "3650d"),
    defaults: always(7 * 86_400_000),
    modes: START,
    meaning: "Time without use after which a branch environment is archived.",
  },
  logLevel: {
    group: "Observing",
    flag: "log-level",
    env: "SVC_LOG_LEVEL",
    kind: oneOf("level", "debug", "info", "warn", "error", "silent"),
    defaults: always("info"),
    modes: BOTH,
    meaning: "Least important messages to log: debug, info, warn, error, or silent for none.",
  },
  logFormat: {
    group: "Observing",
    flag: "log-format",
    env: "SVC_LOG_FORMAT",
    kind: oneOf("format", "pretty", "json"),
    defaults: { dev: "pretty", start: "json" },
    modes: BOTH,
    meaning: "pretty for people, or json for one JSON object a line.",
  },
};

/** A row whose value may be of any type, for code that walks the table. */
export interface AnySetting extends Omit<Setting<unknown>, "kind"> {
  /** The field of `Config` it fills. */
  name: string;
  kind: Omit<Kind<unknown>, "show"> & { show(value: never): string };
  /** A switch that is on by default: it is shown as `--no-<flag>`. */
  flagTurnsOff: boolean;
}

/** The rows as a list. */
export const SETTING_LIST: AnySetting[] = Object.entries(SETTINGS).map(([name, row]) => ({
  ...row,
  name,
  flagTurnsOff: Object.values(row.defaults).includes(true),
}));

/**
 * The default as a person reads it: the value, or the note that stands for it.
 * @example showDefault(row, "dev") // "8288"
 */
export function showDefault(row: AnySetting, mode: Mode): string {
  return row.defaultNote?.[mode] ?? row.kind.show(row.defaults[mode] as never);
}

/**
 * The flag as `--help` and the documentation write it.
 * @example flagText(row) // "-p, --port <number>" or "--no-poll"
 */
export function flagText(row: AnySetting): string {
  const short = row.short ? `-${row.short}, ` : "";
  const value = row.kind.placeholder ? ` <${row.kind.placeholder}>` : "";
  return `${short}--${row.flagTurnsOff ? "no-" : ""}${row.flag}${value}`;
}
