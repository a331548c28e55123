/** What is wrong with a form, at the field it is about or below all of them. */
import { CircleAlert } from "lucide-react";
import { ApiError } from "../api/request.ts";

/**
 * The sentence that belongs to a field; undefined when the error is about something else.
 * @example problemOf(error, "password") // "Expected 10 to 200 characters."
 */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError) || error.field === undefined) return undefined;
  if (error.field !== field && !error.field.startsWith(`${field}.`)) return undefined;
  const sentence = error.message.replace(/^`[^`]+`: /, "");
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}

/** An error that belongs to none of the fields that show theirs. */
export function FormProblem({ error, fields = [] }: { error: unknown; fields?: readonly string[] }) {
  if (error === null || error === undefined) return null;
  if (fields.some((field) => problemOf(error, field) !== undefined)) return null;
  return (
    <p role="alert" className="flex items-start gap-2 text-failed">
      <CircleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
      <span className="min-w-0 break-words">{error instanceof Error ? error.message : String(error)}</span>
    </p>
  );
}
