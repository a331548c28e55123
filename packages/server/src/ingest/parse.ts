/** Body bytes in, validated events out: the first half of the hot path. */
import { EVENT_LIMITS } from "@svc/protocol";
import { ServiceError } from "../errors.ts";
import { validateCloudEvent } from "./cloudevents.ts";
import { decodeBody, parseJson } from "./json.ts";
import { parseNdjson, tooManyEvents } from "./ndjson.ts";
import { describe, isObject } from "./tree.ts";
import { type EventRules, type IncomingEvent, validateEvent } from "./validate.ts";

export type { IncomingEvent } from "./validate.ts";

export interface ParseOptions extends EventRules {
  /** Most events of one request; 5,000 unless told. */
  maxEvents?: number;
}

/**
 * Parse and check the body of a send request. All or nothing: one bad event refuses them all.
 *
 * `application/x-ndjson`, `application/cloudevents+json` and `application/cloudevents-batch+json` are read as
 * what they say; any other content type, or none, as JSON: one event object or an array of them.
 * @param body decoded bytes, UTF-8
 * @param contentType the header's value, parameters and all
 * @returns at least one event, in the order sent
 * @throws ServiceError `invalid_json`, `invalid_event` (with `index` and `field`), `payload_too_large`
 * @example
 * parseEvents(Buffer.from('{"name":"a/b","data":{}}'), "application/json", { now: 1_000 })
 * // [{ name: "a/b", data: "{}", ts: 1000, idempotencyId: null, extra: null }]
 */
export function parseEvents(
  body: Uint8Array,
  contentType: string | undefined,
  options: ParseOptions,
): IncomingEvent[] {
  const text = decodeBody(body);
  const maxEvents = options.maxEvents ?? EVENT_LIMITS.eventsPerRequest;
  switch (mediaType(contentType)) {
    case "application/x-ndjson": {
      const events = parseNdjson(text, options, maxEvents);
      if (events.length === 0) throw noEvents();
      return events;
    }
    case "application/cloudevents+json": {
      const value = parseJson(text);
      if (!isObject(value)) {
        throw wrongBody("a CloudEvent (use application/cloudevents-batch+json for an array of them)", value);
      }
      return [validateCloudEvent(value, 0, options)];
    }
    case "application/cloudevents-batch+json": {
      const value = parseJson(text);
      if (!Array.isArray(value)) throw wrongBody("an array of CloudEvents", value);
      return validateAll(value, validateCloudEvent, options, maxEvents);
    }
    default: {
      const value = parseJson(text);
      if (isObject(value)) return [validateEvent(value, 0, options)];
      if (!Array.isArray(value)) throw wrongBody("an event object or an array of them", value);
      return validateAll(value, validateEvent, options, maxEvents);
    }
  }
}

function validateAll(
  values: unknown[],
  validate: typeof validateEvent,
  rules: EventRules,
  maxEvents: number,
): IncomingEvent[] {
  if (values.length === 0) throw noEvents();
  if (values.length > maxEvents) throw tooManyEvents(maxEvents);
  const events: IncomingEvent[] = [];
  for (let index = 0; index < values.length; index++) events.push(validate(values[index], index, rules));
  return events;
}

/** `Application/JSON; charset=utf-8` -> `application/json`. */
function mediaType(contentType: string | undefined): string {
  if (contentType === undefined || contentType === "application/json") return "application/json";
  const end = contentType.indexOf(";");
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

function noEvents(): ServiceError {
  return new ServiceError("invalid_event", "The request holds no events.");
}

function wrongBody(expected: string, value: unknown): ServiceError {
  return new ServiceError("invalid_event", `The body must be ${expected}, not ${describe(value)}.`);
}
