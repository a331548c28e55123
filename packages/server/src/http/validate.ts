/** Checks query strings and bodies against the schemas of their route. */
import type { ZodType } from "zod";
import { ServiceError } from "../errors.ts";

/**
 * All values of a query string by name; the last one of a name wins.
 * @param text what follows the question mark
 */
export function readQuery(text: string): Record<string, string> {
  const query: Record<string, string> = {};
  if (text === "") return query;
  for (const [name, value] of new URLSearchParams(text)) {
    if (value.includes("\0") || name === "__proto__") {
      throw new ServiceError("invalid_request", `\`${name}\` must not contain NUL.`, { field: name });
    }
    query[name] = value;
  }
  return query;
}

/**
 * The value as its schema makes it.
 * @throws ServiceError `invalid_request` with the first offending `field`
 */
export function validate<T>(schema: ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0]!] : issue.path;
  const field = path.map(String).join(".");
  throw new ServiceError(
    "invalid_request",
    field === "" ? `The body is not valid: ${issue.message}.` : `\`${field}\`: ${issue.message}.`,
    field === "" ? {} : { field },
  );
}
