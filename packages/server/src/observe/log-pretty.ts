/** A log line for people: time, glyph, message, dim fields; the stack of an error on lines of its own. */
import { styleText } from "node:util";
import type { Entry, Level } from "./log.ts";

type Style = Parameters<typeof styleText>[0];

const GLYPHS: Record<Level, [glyph: string, style: Style]> = {
  debug: ["·", "gray"],
  info: ["●", "green"],
  warn: ["▲", "yellow"],
  error: ["✖", "red"],
};

/**
 * @param entry a line whose fields are plain already
 * @example prettyLine(entry, false) // "12:30:00.123 ● app synced  app=shop functions=3\n"
 */
export function prettyLine({ time, level, message, fields }: Entry, colors: boolean): string {
  const paint = (style: Style, text: string) =>
    colors ? styleText(style, text, { validateStream: false }) : text;
  const [glyph, style] = GLYPHS[level];
  let words = "";
  let stacks = "";
  for (const [name, value] of Object.entries(fields)) {
    if (isError(value)) {
      words += ` ${name}=${quoted(value.message)}`;
      // The first line of a stack repeats the message.
      stacks += value.stack.replace(/^.*?(?=\n\s+at )/s, "");
    } else {
      words += ` ${name}=${quoted(value)}`;
    }
  }
  const head = `${paint("gray", clock(time))} ${paint(style, glyph)} `;
  const text = level === "error" ? paint("red", oneLine(message)) : oneLine(message);
  const tail = `${words && ` ${paint("dim", words)}`}${stacks && paint("dim", stacks)}`;
  return `${head}${text}${tail}\n`;
}

function isError(value: unknown): value is { message: string; stack: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { stack?: unknown }).stack === "string" &&
    typeof (value as { message?: unknown }).message === "string"
  );
}

/** Quotes only where a bare word would be ambiguous. */
function quoted(value: unknown): string {
  if (typeof value !== "string") return oneLine(JSON.stringify(value) ?? "");
  return oneLine(/^[^\s"=\p{Cc}]+$/u.test(value) ? value : JSON.stringify(value));
}

/** Control characters, and what separates lines or turns them around. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** What others sent us must not move the cursor or fake a second line. */
function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    // JSON escapes C0 only; terminals obey C1, too.
    return escaped === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : escaped;
  });
}

function clock(time: number): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  const ms = String(date.getMilliseconds()).padStart(3, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}
