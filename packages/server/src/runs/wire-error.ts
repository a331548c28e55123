import type { WireError } from "@svc/protocol";

/** Longest message and stack kept of an error; what is longer says so. */
const MAX_TEXT = 64 * 1024;

/** An error as an app sent it, cut to its known fields; anything else is quoted as its message. */
export function wireError(value: unknown): WireError {
  if (typeof value !== "object" || value === null) {
    return { name: "Error", message: cut(typeof value === "string" ? value : JSON.stringify(value ?? null)) };
  }
  const { name, message, stack } = value as Record<string, unknown>;
  const error: WireError = {
    name: typeof name === "string" ? cut(name) : "Error",
    message: typeof message === "string" ? cut(message) : cut(JSON.stringify(message ?? value)),
  };
  if (typeof stack === "string") error.stack = cut(stack);
  return error;
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (cut)`;
}
