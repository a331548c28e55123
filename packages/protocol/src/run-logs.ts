/**
 * Log lines of a run, on their way from the app to the service. They travel with an answer (in an envelope around it)
 * or with a checkpoint, in our own dialect only.
 */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One line that a handler has written. */
export interface LogLine {
  /** When, by the app's clock; ms since the epoch. */
  at: number;
  level: LogLevel;
  text: string;
  /** Hash of the step whose function has written it; absent outside of steps. */
  step?: string;
}

/** What one report (an answer or a checkpoint) may carry. One more line may say what was left out. */
export const LOG_LIMITS = {
  lines: 200,
  /** UTF-16 units of one line. */
  characters: 4_000,
  /** UTF-8 bytes of all lines together. */
  bytes: 48 * 1024,
} as const;

/**
 * A text of at most so many UTF-16 units; what was longer ends in `…`. Never ends in half a character.
 * @example cutText("ab😀", 3) // "ab…"
 */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const last = text.charCodeAt(characters - 2);
  const halved = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, characters - (halved ? 2 : 1))}…`;
}

const HEAD = '{"logs":[';
/** Ends the lines. No string of JSON can hold it, for its quotes are not escaped. */
const MIDDLE = '],"answer":';

/**
 * The envelope: an answer with the lines written since the last report.
 * @param answer JSON text of the answer as it would be without lines
 */
export function wrapAnswer(answer: string, lines: readonly LogLine[]): string {
  return `{"logs":${JSON.stringify(lines)},"answer":${answer}}`;
}

/**
 * Take an envelope apart, whatever the size of its answer, without parsing that. Null when it has not the very form
 * that `wrapAnswer` gives it.
 * @returns JSON text of the lines, and of the answer, neither of them looked at
 */
export function unwrapAnswer(body: string): { logs: string; answer: string } | null {
  if (!body.startsWith(HEAD) || !body.endsWith("}")) return null;
  const middle = body.indexOf(MIDDLE);
  if (middle < 0) return null;
  return { logs: body.slice(HEAD.length - 1, middle + 1), answer: body.slice(middle + MIDDLE.length, -1) };
}
