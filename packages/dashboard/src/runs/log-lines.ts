/** Log lines of a run: which of them are shown, and how they read as text. */
import { LOG_LEVELS, type LogLevel, type LogLine } from "../api/types.ts";

/** What the address says as a level; undefined, which is all of them, when it is none. */
export function levelOf(text: string | undefined): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === text);
}

/** The lines of this level and above. */
export function linesFrom(lines: readonly LogLine[], level: LogLevel | undefined): readonly LogLine[] {
  if (level === undefined) return lines;
  const least = LOG_LEVELS.indexOf(level);
  return lines.filter((line) => LOG_LEVELS.indexOf(line.level) >= least);
}

/** Levels that leave something out and something over, from the least. */
export function choicesOf(lines: readonly LogLine[]): LogLevel[] {
  return LOG_LEVELS.slice(1).filter((level) => {
    const left = linesFrom(lines, level).length;
    return left > 0 && left < lines.length;
  });
}

/** Lines for the clipboard, as a file of logs would have them. */
export function linesText(lines: readonly LogLine[], stepNames: ReadonlyMap<string, string>): string {
  return lines
    .map(({ at, level, text, step_id }) => {
      const step = step_id === null ? "" : `[${stepNames.get(step_id) ?? step_id.slice(0, 8)}] `;
      return `${at} ${level.padEnd(5)} ${step}${text}\n`;
    })
    .join("");
}
