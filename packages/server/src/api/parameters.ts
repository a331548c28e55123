/** Query parameters that several routes take, and the cursors of their pages. */
import { parseDuration } from "@svc/protocol";
import * as z from "zod";

/** Most rows of a page. */
const MAX_LIMIT = 200;
/** Bytes of payload that a page holds before it ends early. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export const limitParameter = z.coerce
  .number()
  .int()
  .min(1)
  .max(MAX_LIMIT)
  .default(20)
  .describe(
    "Most entries of the page. A page may hold fewer, even none, though more follow: see `has_more`.",
  );

/** A moment: an ISO 8601 date and time, or milliseconds since the epoch. */
export function timeParameter(description: string) {
  return z
    .string()
    .max(40)
    .transform((text, context) => {
      const time = /^\d{1,15}$/.test(text)
        ? Number(text)
        : ISO_TIME.test(text)
          ? Date.parse(text)
          : Number.NaN;
      if (Number.isNaN(time)) {
        context.addIssue({
          code: "custom",
          message: "expected a date such as 2026-05-01T12:00:00Z, or milliseconds since 1970",
        });
        return z.NEVER;
      }
      return time;
    })
    .optional()
    .meta({ description, examples: ["2026-05-01T12:00:00Z"] });
}

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** A length of time such as `5m`, in ms. */
export function durationParameter(description: string) {
  return z
    .string()
    .max(40)
    .transform((text, context) => {
      const duration = parseDuration(text);
      if (duration === undefined || duration < 1_000) {
        context.addIssue({ code: "custom", message: "expected a length of time such as 30s, 5m or 1h" });
        return z.NEVER;
      }
      return Math.round(duration);
    })
    .optional()
    .meta({ description, examples: ["5m"] });
}

/** Up to 20 values, separated by commas. */
export function listParameter<T extends string>(
  description: string,
  isValue: (text: string) => text is T,
  expected: string,
) {
  return z
    .string()
    .max(5_000)
    .transform((text, context) => {
      const values = [...new Set(text.split(",").map((value) => value.trim()))].filter(
        (value) => value !== "",
      );
      if (values.length === 0 && text.trim() === "") return undefined;
      if (values.length === 0 || values.length > 20 || !values.every(isValue)) {
        context.addIssue({ code: "custom", message: `expected ${expected}, separated by commas` });
        return z.NEVER;
      }
      return values as T[];
    })
    .optional()
    .describe(description);
}

/** Any text may be a value. */
export function isText(text: string): text is string {
  return text !== "";
}

/**
 * A cursor is the key of a page's last row; clients pass it back as it came.
 * @example cursorParameter(z.tuple([z.number(), z.string()]))
 */
export function cursorParameter<Key>(key: z.ZodType<Key>) {
  return z
    .string()
    .max(1_000)
    .transform((text, context) => {
      try {
        const decoded = key.safeParse(JSON.parse(Buffer.from(text, "base64url").toString()));
        if (decoded.success) return decoded.data;
      } catch {
        // Not JSON: told below.
      }
      context.addIssue({ code: "custom", message: "expected the `cursor` of a page before" });
      return z.NEVER;
    })
    .optional()
    .describe("`page.cursor` of the page before this one.");
}

/** The text that `cursorParameter` reads. */
export function encodeCursor(key: unknown): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

/** Keys of events, newest first. */
export const eventCursor = cursorParameter(
  z.tuple([z.int().nonnegative(), z.string().max(100)]).refine(([, id]) => !id.includes("\0")),
);

/** Ids of runs, apps and functions. */
export const idCursor = cursorParameter(
  z
    .string()
    .max(600)
    .refine((id) => !id.includes("\0")),
);
