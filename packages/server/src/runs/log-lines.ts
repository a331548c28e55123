/** Log lines as an app reports them. Whatever they look like, they never fail a run: what is wrong is left out. */
import { cutText, LOG_LEVELS, LOG_LIMITS, type LogLine } from "@svc/protocol";
import type { RunLogs } from "../store/commands/keep-run-logs.ts";
import { isStepId } from "./ops.ts";

/**
 * Longest JSON of the lines of one report: every byte of text escaped (`\u0000`), and what stands around each line.
 * An answer may be larger by so much when it comes with lines.
 */
export const MAX_LOGS_LENGTH = 6 * LOG_LIMITS.bytes + 400 * LOG_LIMITS.lines;

/** The SDK's own line, about what it has left out, may come on top of the lines. */
const NOTE_BYTES = 1_024;
/** Last moment a date can have, ms. */
const LAST_MOMENT = 8.64e15;

/** Read the lines that came with an answer. @param text their JSON, of any length and form */
export function parseLogLines(text: string, now: number): LogLine[] {
  if (text.length > MAX_LOGS_LENGTH) {
    return [note(now, `The log lines of this call are longer than may be, and were not kept.`)];
  }
  try {
    return readLogLines(JSON.parse(text), now);
  } catch {
    return [note(now, "The log lines of this call are not JSON, and were not kept.")];
  }
}

/** The lines of a report, each checked and cut to its bounds; a last one says how many were left out. */
export function readLogLines(value: unknown, now: number): LogLine[] {
  if (!Array.isArray(value)) return [];
  const lines: LogLine[] = [];
  let bytes = 0;
  for (const each of value.slice(0, LOG_LIMITS.lines + 1)) {
    const line = readLine(each);
    if (line === null) continue;
    bytes += Buffer.byteLength(line.text);
    if (bytes > LOG_LIMITS.bytes + NOTE_BYTES) break;
    lines.push(line);
  }
  const omitted = value.length - lines.length;
  if (omitted > 0) {
    const what = omitted === 1 ? "1 line was" : `${omitted} lines were`;
    lines.push(note(lines.at(-1)?.at ?? now, `${what} not kept: malformed, or more than a report may have.`));
  }
  return lines;
}

/** Lines as the store keeps them; undefined when there are none. */
export function runLogs(lines: readonly LogLine[], attempt: number): RunLogs | undefined {
  return lines.length === 0 ? undefined : { attempt, count: lines.length, text: JSON.stringify(lines) };
}

function readLine(value: unknown): LogLine | null {
  if (typeof value !== "object" || value === null) return null;
  const { at, level, text, step } = value as Partial<Record<keyof LogLine, unknown>>;
  const known = LOG_LEVELS.find((each) => each === level);
  if (known === undefined || typeof text !== "string") return null;
  if (typeof at !== "number" || !(at >= 0 && at <= LAST_MOMENT)) return null;
  const line: LogLine = { at: Math.floor(at), level: known, text: cutText(text, LOG_LIMITS.characters) };
  if (isStepId(step)) line.step = step;
  return line;
}

function note(at: number, text: string): LogLine {
  return { at, level: "warn", text };
}
