/** From what a transform returned to events, by the rules of every other event. */
import { EVENT_LIMITS } from "@svc/protocol";
import { ServiceError } from "../errors.ts";
import { parseJson } from "../ingest/json.ts";
import { describe, isObject } from "../ingest/tree.ts";
import { type IncomingEvent, validateEvent } from "../ingest/validate.ts";
import { longerThan } from "../text-size.ts";

export interface EventResultOptions {
  /** Time of receipt, ms since the epoch: the `ts` of events without one. */
  now: number;
  /** Longest result, bytes of UTF-8; 512 KiB, as for a request, unless told. */
  maxBytes?: number;
}

/**
 * The events of a transform's result: one event, an array of up to 5,000, or null for none. All or nothing, as for
 * a request to `/e/<key>`: what is fine there is fine here. An empty array is none, too.
 * @param json the result as JSON text
 * @returns the events in their order; empty when the transform ignores the request
 * @throws ServiceError `invalid_event`, with `index` and `field` where one event is at fault, with `limit` where
 * the result is too large
 * @example
 * eventsOfResult('{"name":"github/push","data":{}}', { now: 1_000 })
 * // [{ name: "github/push", data: "{}", ts: 1000, idempotencyId: null, extra: null }]
 */
export function eventsOfResult(json: string, options: EventResultOptions): IncomingEvent[] {
  const { now, maxBytes = EVENT_LIMITS.requestBytes } = options;
  if (longerThan(json, maxBytes)) {
    throw new ServiceError("invalid_event", `A transform may return at most ${maxBytes} bytes of JSON.`, {
      limit: maxBytes,
    });
  }
  const value = parseResult(json);
  if (value === null) return [];
  const rules = { now };
  if (isObject(value)) return [validateEvent(value, 0, rules)];
  if (!Array.isArray(value)) {
    throw new ServiceError(
      "invalid_event",
      `A transform must return an event object, an array of them or null, not ${describe(value)}.`,
    );
  }
  const limit = EVENT_LIMITS.eventsPerRequest;
  if (value.length > limit) {
    throw new ServiceError("invalid_event", `A transform may return at most ${limit} events.`, { limit });
  }
  return value.map((event, index) => validateEvent(event, index, rules));
}

/** A sender cannot mend the result of a transform, so it is no `invalid_json` of theirs. */
function parseResult(json: string): unknown {
  try {
    return parseJson(json, "The result of the transform");
  } catch (error) {
    throw new ServiceError("invalid_event", (error as Error).message);
  }
}
