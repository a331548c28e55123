/** From the bytes of a request to events: JSON, NDJSON, CloudEvents. */
import { isUtf8 } from "node:buffer";
import { EVENT_LIMITS } from "@svc/protocol";
import { ServiceError } from "../errors.ts";
import { fromCloudEvent } from "./cloudevents.ts";
import { type IncomingEvent, type ValidationOptions, validateEvent } from "./validate.ts";

export type { IncomingEvent } from "./validate.ts";

/**
 * Parse and check the events of a request, all or nothing.
 * @param contentType decides the format; anything unknown is read as JSON
 * @throws ServiceError `invalid_json`, `invalid_event` (with `index` and `field`) or `payload_too_large`
 * @example parseEvents(Buffer.from('{"name":"a/b","data":{}}'), "application/json", { now: Date.now() })
 */
export function parseEvents(
  body: Uint8Array,
  contentType: string | undefined,
  options: ValidationOptions,
): IncomingEvent[] {
  const text = decode(body);
  // The common case without looking twice: senders say application/json.
  const type = contentType === "application/json" ? "" : mediaType(contentType);
  switch (type) {
    case "application/x-ndjson":
      return checkAll(parseLines(text), options);
    case "application/cloudevents+json":
      return [validateEvent(fromCloudEvent(parseJson(text), 0), 0, options)];
    case "application/cloudevents-batch+json": {
      const batch = parseJson(text);
      if (!Array.isArray(batch)) {
        throw new ServiceError("invalid_event", "A batch of CloudEvents must be a JSON array.");
      }
      return checkAll(batch, options, fromCloudEvent);
    }
    default: {
      const value = parseJson(text);
      return Array.isArray(value) ? checkAll(value, options) : [validateEvent(value, 0, options)];
    }
  }
}

function checkAll(
  values: unknown[],
  options: ValidationOptions,
  convert?: (value: unknown, index: number) => unknown,
): IncomingEvent[] {
  if (values.length === 0) throw new ServiceError("invalid_event", "The request holds no event.");
  if (values.length > EVENT_LIMITS.eventsPerRequest) {
    throw new ServiceError(
      "payload_too_large",
      `A request may hold ${EVENT_LIMITS.eventsPerRequest} events at most; this one holds ${values.length}.`,
      { limit: EVENT_LIMITS.eventsPerRequest },
    );
  }
  return values.map((value, index) =>
    validateEvent(convert === undefined ? value : convert(value, index), index, options),
  );
}

function parseLines(text: string): unknown[] {
  const values: unknown[] = [];
  const lines = text.split("\n");
  for (let line = 0; line < lines.length; line++) {
    const content = lines[line]!.trim();
    if (content === "") continue;
    try {
      values.push(JSON.parse(content));
    } catch (error) {
      throw new ServiceError("invalid_json", `Line ${line + 1} is not valid JSON: ${reason(error)}`, {
        index: values.length,
        line: line + 1,
      });
    }
  }
  return values;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.trim() === "")
      throw new ServiceError("invalid_json", "The body is empty; it must be an event as JSON.");
    throw new ServiceError("invalid_json", `The body is not valid JSON: ${reason(error)}`);
  }
}

/** What the parser says, without the part of the input it quotes. */
function reason(error: unknown): string {
  const { message } = error as Error;
  return message.replace(/, ?("|\.\.\.).*$/s, "").slice(0, 200);
}

function decode(body: Uint8Array): string {
  // JSON is UTF-8; replacing broken bytes would store something else than was sent.
  if (!isUtf8(body)) throw new ServiceError("invalid_json", "The body is not valid UTF-8.");
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function mediaType(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
}
