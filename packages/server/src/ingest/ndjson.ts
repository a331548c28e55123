/** Newline-delimited JSON: one event object per line. */
import { ServiceError } from "../errors.ts";
import { parseJson } from "./json.ts";
import { type EventRules, type IncomingEvent, validateEvent } from "./validate.ts";

/**
 * The events of an NDJSON text. Empty lines are skipped; both line ends are understood.
 * @throws ServiceError as `validateEvent`, with the `line` (from 1) beside the event's `index`
 * @example parseNdjson('{"name":"a","data":{}}\n{"name":"b","data":{}}\n', { now: Date.now() }, 5_000)
 */
export function parseNdjson(text: string, rules: EventRules, maxEvents: number): IncomingEvent[] {
  const events: IncomingEvent[] = [];
  let line = 0;
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf("\n", start);
    if (end === -1) end = text.length;
    const content = text.slice(start, end);
    start = end + 1;
    line += 1;
    if (content.trim() === "") continue;
    const index = events.length;
    // Checked before the next line is parsed, so that a long body costs no more than its allowed part.
    if (index === maxEvents) throw tooManyEvents(maxEvents);
    const value = parseJson(content, `Line ${line}`, { index, line });
    try {
      events.push(validateEvent(value, index, rules));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new ServiceError(error.code, error.message, { ...error.detail, line });
    }
  }
  return events;
}

/** The refusal of a request with more events than `limit`. */
export function tooManyEvents(limit: number): ServiceError {
  return new ServiceError("payload_too_large", `A request may hold at most ${limit} events.`, { limit });
}
