/** The lines that a handler writes during one call, kept until they are reported to the service. */
import { LOG_LIMITS, type LogLevel, type LogLine } from "@svc/protocol";
import { logText } from "./log-text.ts";
import type { Logger } from "./logger.ts";

/** Lines to send with an answer or a checkpoint. */
export interface LogReport {
  /** The oldest first; the last one may say how many were left out. Empty when there is nothing to tell. */
  lines: LogLine[];
  /** Of them, those that were written; and how many were left out. */
  written: number;
  omitted: number;
}

export interface CallLog {
  /** Keep a line, or count it as left out when there is no room till the next report. Never throws. */
  write(level: LogLevel, values: readonly unknown[], step: string | undefined): void;
  /** What was not reported yet. */
  report(): LogReport;
  /** A report has arrived: its lines are not sent again. */
  reported(report: LogReport): void;
  /** The answer is out: what is written now can be told to nobody. */
  close(): void;
}

const encoder = new TextEncoder();

/** Make the log of one call, bounded by `LOG_LIMITS` from report to report. */
export function createCallLog(now: () => number = Date.now): CallLog {
  const kept: { line: LogLine; bytes: number }[] = [];
  let bytes = 0;
  let omitted = 0;
  let lastAt = 0;
  let closed = false;

  return {
    write(level, values, step) {
      if (closed) return;
      if (kept.length >= LOG_LIMITS.lines || omitted > 0) {
        omitted++;
        return;
      }
      const text = logText(values, LOG_LIMITS.characters);
      const size = encoder.encode(text).length;
      if (bytes + size > LOG_LIMITS.bytes) {
        omitted++;
        return;
      }
      // A clock that is set back must not bring the lines of a call out of order.
      lastAt = Math.max(lastAt, now());
      const line: LogLine = { at: lastAt, level, text };
      if (step !== undefined) line.step = step;
      kept.push({ line, bytes: size });
      bytes += size;
    },
    report() {
      const lines = kept.map(({ line }) => line);
      if (omitted > 0) lines.push({ at: lastAt, level: "warn", text: omittedText(omitted) });
      return { lines, written: kept.length, omitted };
    },
    reported(report) {
      for (const { bytes: size } of kept.splice(0, report.written)) bytes -= size;
      omitted -= report.omitted;
    },
    close() {
      closed = true;
    },
  };
}

/** A logger that keeps its lines for the service, too; the other one gets each of them first. */
export function loggedCall(logger: Logger, log: CallLog, step: () => string | undefined): Logger {
  const both =
    (level: LogLevel) =>
    (...values: unknown[]): void => {
      try {
        logger[level](...values);
      } finally {
        log.write(level, values, step());
      }
    };
  return { debug: both("debug"), info: both("info"), warn: both("warn"), error: both("error") };
}

function omittedText(count: number): string {
  const lines = count === 1 ? "1 more line was" : `${count} more lines were`;
  return `${lines} left out: ${LOG_LIMITS.lines} lines and ${LOG_LIMITS.bytes / 1024} KB of text are sent at a time.`;
}
