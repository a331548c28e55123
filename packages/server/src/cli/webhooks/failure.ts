/** A command that could not do its work: its sentence is shown, without a stack, and the exit code is 1. */
export class CommandFailure extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = "CommandFailure";
  }
}

/** Where a command writes: a line each, without its line feed. */
export interface Output {
  say(line: string): void;
  complain(line: string): void;
}

/**
 * Text of others made fit for a terminal: what would steer it is shown as an escape instead.
 * @example plain("a\u001b[31mb") // "a\\u001b[31mb"
 */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
