/**
 * The service's log: pretty lines on a terminal, one JSON object a line otherwise. Own code rather than a
 * library: it has to bound, redact and never throw, and nothing else (docs/decisions/0002-dependencies.md).
 */
import { type Fields, plainFields, redactText } from "./log-fields.ts";
import { prettyLine } from "./log-pretty.ts";

/** What every part of the service logs through. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** A logger that says nothing. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

export type Level = "debug" | "info" | "warn" | "error";

/** Where lines go: `process.stdout`, or anything shaped like it. */
export interface LogStream {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  /** Bytes written but not yet taken by the reader. */
  writableLength?: number | undefined;
}

export interface LogOptions {
  level?: Level | "silent";
  /** Pretty on a terminal and JSON otherwise when not given. */
  format?: "pretty" | "json";
  stream?: LogStream;
  /** Colours on a pretty log; on a terminal without NO_COLOR when not given. */
  colors?: boolean;
  now?: () => number;
}

const LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** A reader that has stopped must not fill our memory with lines: past this, lines are counted, not kept. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/**
 * A logger at or above a level. Fields are bounded in size and depth; those named like secrets are hidden,
 * and keys of ours are hidden wherever they stand. A log call never throws.
 * @example createLogger({ level: "info" }).warn("app unreachable", { app: "shop", error })
 */
export function createLogger(options: LogOptions = {}): Logger {
  const { level = "info", stream = process.stdout, now = Date.now } = options;
  const pretty = (options.format ?? (stream.isTTY ? "pretty" : "json")) === "pretty";
  const colors = options.colors ?? useColors(stream);
  let dropped = 0;

  function log(severity: Level, message: string, fields: Fields | undefined): void {
    try {
      if ((stream.writableLength ?? 0) > MAX_UNREAD_BYTES) {
        dropped++;
        return;
      }
      if (dropped > 0) {
        const count = dropped;
        dropped = 0;
        log("warn", "log lines dropped, their reader was too slow", { count });
      }
      const entry = {
        time: now(),
        level: severity,
        message: redactText(String(message)),
        fields: fields ? plainFields(fields) : {},
      };
      stream.write(pretty ? prettyLine(entry, colors) : jsonLine(entry));
    } catch {
      // A closed stream or a hostile getter: the caller's work matters more than the line.
    }
  }

  const logger: Logger = { ...silentLogger };
  for (const severity of LEVELS.slice(LEVELS.indexOf(level)) as (Level | "silent")[]) {
    if (severity === "silent") continue;
    logger[severity] = (message, fields) => log(severity, message, fields);
  }
  return logger;
}

/**
 * A logger that adds the same fields to every line; a line's own fields win.
 * @example withFields(logger, { part: "registry" }).info("app synced")
 */
export function withFields(logger: Logger, fields: Record<string, unknown>): Logger {
  return {
    debug: (message, more) => logger.debug(message, { ...fields, ...more }),
    info: (message, more) => logger.info(message, { ...fields, ...more }),
    warn: (message, more) => logger.warn(message, { ...fields, ...more }),
    error: (message, more) => logger.error(message, { ...fields, ...more }),
  };
}

/** Colours only on a terminal, and never when https://no-color.org asks for none. */
export function useColors(stream: { isTTY?: boolean | undefined }, env = process.env): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
}

/** One finished line, before it is written. */
export interface Entry {
  /** Milliseconds since the epoch. */
  time: number;
  level: Level;
  message: string;
  fields: Fields;
}

function jsonLine({ time, level, message, fields }: Entry): string {
  // Ours last: a field called `level` must not hide the line's level.
  const { time: _time, level: _level, msg: _msg, ...rest } = fields;
  return `${JSON.stringify({ time: new Date(time).toISOString(), level, msg: message, ...rest })}\n`;
}
