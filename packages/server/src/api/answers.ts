/** The shapes every answer of the API has, and their schemas. */
import * as z from "zod";
import { ERRORS, type ErrorCode } from "../errors.ts";
import { encodeCursor } from "./parameters.ts";

export const isoTime = z.iso.datetime().meta({ examples: ["2026-05-01T12:00:00.000Z"] });

const pageSchema = z
  .object({
    cursor: z.string().nullable().describe("Pass it as `cursor` to get the next page."),
    has_more: z.boolean(),
  })
  .meta({ id: "Page" });

export const errorSchema = z
  .looseObject({
    error: z.string().describe("A sentence for a person."),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    status: z.int(),
    index: z.int().optional().describe("Place of the bad event in its batch, from 0."),
    field: z.string().optional().describe("Dotted path of the bad field."),
    retry_after: z.number().optional().describe("Seconds; also sent as the `retry-after` header."),
  })
  .meta({ id: "Error" });

/** `{"data": …}` */
export function one<T extends z.ZodType>(schema: T) {
  return z.object({ data: schema });
}

/** `{"data": […], "page": …}` */
export function pageOf<T extends z.ZodType>(schema: T) {
  return z.object({ data: z.array(schema), page: pageSchema });
}

/**
 * A page as JSON text, from rows that are JSON text already: payloads are stored as text and need no parsing to be sent.
 * @param next key of the page's last row; null when nothing follows
 */
export function pageText(rows: readonly string[], next: unknown): string {
  const page = { cursor: next === null ? null : encodeCursor(next), has_more: next !== null };
  return `{"data":[${rows.join(",")}],"page":${JSON.stringify(page)}}`;
}

/** ms since the epoch as the API shows them. */
export function toIso(time: number): string;
export function toIso(time: number | null): string | null;
export function toIso(time: number | null): string | null {
  // Stored times can come from apps, which may send anything.
  return time === null || Math.abs(time) > 8.64e15 ? null : new Date(time).toISOString();
}
