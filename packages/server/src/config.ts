import { parseArgs } from "node:util";
import { type AnySetting, SETTING_LIST } from "./settings.ts";

/** Every setting of the service, resolved. Flags, variables and defaults are in `settings.ts`. */
export interface Config {
  mode: "dev" | "start";
  host: string;
  port: number;
  /** Path under which a proxy shows the service, with a slash at both ends. */
  basePath: string;
  /** Where the embedded store lives; null keeps nothing after the process ends. */
  dataDir: string | null;
  eventKeys: string[];
  signingKeys: string[];
  apiTokens: string[];
  /** Encrypts stored secrets; null: one that is made at the first start and kept in the data directory. */
  secretKey: string | null;
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
  /** start: a branch environment unused for this long is archived, ms. */
  branchArchiveAfterMs: number;
  /** Longest a call to an app may take, ms. */
  callTimeoutMs: number;
  /** Calls under way at once to one app. */
  appConcurrency: number;
  maxStepsPerRun: number;
  /** Age after which events and finished runs are removed, ms. */
  retentionMs: number;
  /** Size of the store after which the oldest are removed, bytes; null: no such bound. */
  retentionBytes: number | null;
  /** Age after which entries of the audit log are removed, ms. */
  auditRetentionMs: number;
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

/** A setting that cannot be used; the message names the flag or variable and says what would do. */
export class ConfigError extends Error {
  readonly code = "invalid_config";

  constructor(sentence: string) {
    super(sentence);
    this.name = "ConfigError";
  }
}

/**
 * Resolve every setting: flags win over environment variables, and these over the defaults of the mode.
 * @param argv what follows the command: `["--port", "9000"]`
 * @throws ConfigError with a sentence for the person at the keyboard
 * @example loadConfig("dev", ["-u", "localhost:3000/api/svc"], process.env).appUrls
 */
export function loadConfig(
  mode: Config["mode"],
  argv: readonly string[],
  env: Record<string, string | undefined>,
): Config {
  const flags = readFlags(mode, argv);
  const values: Record<string, unknown> = { mode };
  for (const row of SETTING_LIST) {
    const fallback = row.defaults[mode];
    values[row.name] =
      flags.get(row.name) ??
      (row.modes.includes(mode) ? readVariable(row, env[row.env]) : undefined) ??
      (Array.isArray(fallback) ? [...fallback] : fallback);
  }
  if (values.inMemory) values.dataDir = null;
  delete values.inMemory;
  // The table's type guarantees a row, hence a value of the right type, for every field.
  return values as unknown as Config;
}

/** The values of all flags that were given, by the name of their row. */
function readFlags(mode: Config["mode"], argv: readonly string[]): Map<string, unknown> {
  const options = Object.fromEntries(
    SETTING_LIST.map((row) => [
      row.flag,
      { type: row.kind.placeholder ? "string" : "boolean", ...(row.short && { short: row.short }) } as const,
    ]),
  );
  // Not strict: the messages about unknown flags and missing values are ours.
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowNegative: true,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, unknown>();
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") throw new ConfigError(`"${token.value}" is not expected here.`);
    const row = SETTING_LIST.find((candidate) => candidate.flag === token.name);
    const negated = token.rawName.startsWith("--no-");
    if (!row || (negated && row.kind.placeholder)) throw unknownFlag(token.rawName, mode);
    if (!row.modes.includes(mode)) {
      throw new ConfigError(`${token.rawName} is a flag of \`svc ${row.modes[0]}\` only.`);
    }
    values.set(row.name, merge(values.get(row.name), flagValue(row, token, negated)));
  }
  return values;
}

function flagValue(
  row: AnySetting,
  token: { rawName: string; value: string | undefined; inlineValue: boolean | undefined },
  negated: boolean,
): unknown {
  const { rawName, value, inlineValue } = token;
  if (!row.kind.placeholder) {
    const on = value === undefined ? true : (parse(row, value, rawName) as boolean);
    return on !== negated;
  }
  // `--host --port 1` is a forgotten value; one that begins with a dash is given as `--host=-x`.
  if (value === undefined || (!inlineValue && value.length > 1 && value.startsWith("-"))) {
    throw new ConfigError(`${rawName} needs a value: ${row.kind.expects}.`);
  }
  return parse(row, value, rawName);
}

function readVariable(row: AnySetting, given: string | undefined): unknown {
  if (given === undefined || given.trim() === "") return undefined;
  const texts = row.kind.list ? given.split(",").filter((part) => part.trim()) : [given];
  return texts.reduce<unknown>((values, part) => merge(values, parse(row, part, row.env)), undefined);
}

function parse(row: AnySetting, given: string, source: string): unknown {
  const value = row.kind.parse(given);
  if (value === undefined) {
    const shown = row.kind.secret ? "the value given" : JSON.stringify(given);
    throw new ConfigError(`${source}: ${shown} is not ${row.kind.expects}.`);
  }
  return value;
}

/** A list grows with every flag; anything else is replaced by the last one. */
function merge(before: unknown, value: unknown): unknown {
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}

function unknownFlag(rawName: string, mode: Config["mode"]): ConfigError {
  const flags = SETTING_LIST.filter((row) => row.modes.includes(mode)).flatMap((row) =>
    row.kind.placeholder ? [`--${row.flag}`] : [`--${row.flag}`, `--no-${row.flag}`],
  );
  const near = nearest(rawName, flags);
  const hint = near ? `Did you mean ${near}?` : `\`svc help ${mode}\` lists all flags.`;
  return new ConfigError(`${rawName} is not a flag of \`svc ${mode}\`. ${hint}`);
}

/**
 * The word with the fewest edits from a mistyped one; none when all are too far away to be meant.
 * @example nearest("--prot", ["--port", "--host"]) // "--port"
 */
export function nearest(given: string, words: readonly string[]): string | undefined {
  let best: string | undefined;
  let fewest = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const word of words) {
    const count = edits(given, word);
    if (count < fewest) [best, fewest] = [word, count];
  }
  return best;
}

/** Levenshtein distance. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
