/**
 * The kinds of value a setting can have: how its text is read, what the text should look like, and how a
 * value is written back for `--help` and the documentation.
 */
import { parseDuration, splitSigningKey } from "@svc/protocol";

export interface Kind<T> {
  /** Stands for the value in `--help`: `--port <number>`. Empty for switches. */
  placeholder: string;
  /** Ends the sentence "… is not …". */
  expects: string;
  /** The value of a text, or `undefined` when the text is not of this kind. */
  parse(text: string): T | undefined;
  show(value: T): string;
  /** Given once per value; the environment variable separates values by commas. */
  list?: true;
  /** Never repeated in messages. */
  secret?: true;
}

const SWITCH_WORDS: Record<string, boolean> = {
  true: true,
  1: true,
  yes: true,
  on: true,
  false: false,
  0: false,
  no: false,
  off: false,
};

/** On or off: `--name`, `--no-name`, `--name=false`, `SVC_NAME=true`. */
export const onOff: Kind<boolean> = {
  placeholder: "",
  expects: "`true` or `false`",
  parse: (text) => SWITCH_WORDS[text.trim().toLowerCase()],
  show: (value) => (value ? "on" : "off"),
};

/** Any text of at least one character. */
export function text(placeholder: string, expects: string): Kind<string> {
  return { placeholder, expects, parse: (given) => given.trim() || undefined, show: (value) => value };
}

/** A whole number within bounds, both included. */
export function wholeNumber(min: number, max: number): Kind<number> {
  return {
    placeholder: "number",
    expects: `a whole number from ${min} to ${max}`,
    parse: (given) => within(/^\d{1,15}$/.test(given.trim()) ? Number(given) : undefined, min, max),
    show: String,
  };
}

/** A length of time with its unit, kept as milliseconds. */
export function duration(min: string, max: string): Kind<number> {
  return {
    placeholder: "duration",
    expects: `a duration from ${min} to ${max}, such as 30d, 12h, 90s or 500ms`,
    parse: (given) => within(parseDuration(given), parseDuration(min)!, parseDuration(max)!),
    show: showDuration,
  };
}

/** A number of bytes with or without a unit; `null` is "no bound" and cannot be given as text. */
export function size(min: string, max: string): Kind<number> {
  return {
    placeholder: "size",
    expects: `a size from ${min} to ${max}, such as 512KiB, 20MiB or 2GiB`,
    parse: (given) => within(parseSize(given), parseSize(min)!, parseSize(max)!),
    show: showSize,
  };
}

/** One of a few words. */
export function oneOf<T extends string>(placeholder: string, ...words: T[]): Kind<T> {
  return {
    placeholder,
    expects: `one of ${words.join(", ")}`,
    parse: (given) => words.find((word) => word === given.trim().toLowerCase()),
    show: (value) => value,
  };
}

/** The same setting given any number of times. */
export function listOf<T>(kind: Kind<T>): Kind<T[]> {
  return {
    ...kind,
    list: true,
    parse(given) {
      const value = kind.parse(given);
      return value === undefined ? undefined : [value];
    },
    show: (values) => values.map(kind.show).join(", "),
  };
}

/** A kind that may also be absent. */
export function optional<T>(kind: Kind<T>): Kind<T | null> {
  return { ...kind, show: (value) => (value === null ? "" : kind.show(value)) };
}

/** An http(s) address; `http://` is added where the scheme is missing. */
export const httpUrl: Kind<string> = {
  placeholder: "url",
  expects: "an http(s) address such as http://localhost:3000/api/svc",
  parse(given) {
    const address = given.trim();
    const url = URL.parse(address.includes("://") ? address : `http://${address}`);
    return url?.hostname && /^https?:$/.test(url.protocol) ? url.href : undefined;
  },
  show: (value) => value,
};

/** The path of an address, kept with a slash at both ends: `/` or `/svc/`. */
export const urlPath: Kind<string> = {
  placeholder: "path",
  expects: "a path such as /svc, of letters, digits and the characters . _ ~ - /",
  parse(given) {
    const path = `/${given.trim()}/`.replace(/\/+/g, "/");
    return /^[\w.~/-]{1,200}$/.test(path) && !/\/\.\.?\//.test(path) ? path : undefined;
  },
  show: (value) => value,
};

/** A random key that travels in a path or a header: no characters that would need escaping there. */
export const opaqueKey: Kind<string> = {
  placeholder: "key",
  expects: "a key of 1 to 256 letters, digits and the characters . _ ~ -",
  parse: (given) => (/^[\w.~-]{1,256}$/.test(given.trim()) ? given.trim() : undefined),
  show: () => "(hidden)",
  secret: true,
};

/** A signing key: `signkey-<environment>-<hex>`, or the hex text alone. */
export const signingKey: Kind<string> = {
  placeholder: "key",
  expects: "a signing key (`signkey-<environment>-` and at least 32 hexadecimal digits)",
  parse(given) {
    const secret = splitSigningKey(given)?.secret ?? "";
    return secret.length >= 32 && secret.length % 2 === 0 ? given.trim() : undefined;
  },
  show: () => "(hidden)",
  secret: true,
};

const SIZE_UNITS: Record<string, number> = {
  "": 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/**
 * Bytes of a size text: units of 1,024 (`KiB`, `MiB`, `GiB`, `TiB`) or of 1,000 (`KB`, `MB`, `GB`, `TB`).
 * @example parseSize("512KiB") // 524_288
 */
function parseSize(given: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(given.trim());
  const unit = SIZE_UNITS[match?.[2]?.toLowerCase() ?? "?"];
  return match && unit !== undefined ? Math.round(Number(match[1]) * unit) : undefined;
}

/** The shortest size text of a number of bytes: `512KiB`. */
function showSize(bytes: number): string {
  for (const unit of ["TiB", "GiB", "MiB", "KiB"]) {
    const factor = SIZE_UNITS[unit.toLowerCase()]!;
    if (bytes >= factor && bytes % factor === 0) return `${bytes / factor}${unit}`;
  }
  return `${bytes}B`;
}

/** The shortest duration text of a number of milliseconds: `30d`. */
function showDuration(ms: number): string {
  for (const [unit, factor] of [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1_000],
  ] as const) {
    if (ms >= factor && ms % factor === 0) return `${ms / factor}${unit}`;
  }
  return `${ms}ms`;
}

function within(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined;
}
