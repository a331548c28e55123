/** CloudEvents 1.0 in HTTP binary mode: attributes in `ce-*` headers, the data as the body. */
import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { validateCloudEvent } from "./cloudevents.ts";
import { decodeBody, parseJson } from "./json.ts";
import { type EventRules, type IncomingEvent, refusal } from "./validate.ts";

/**
 * Whether a request carries a CloudEvent in binary mode. A content type of `application/cloudevents…` says that
 * the body holds the event, and then the headers count for nothing.
 */
export function isBinaryCloudEvent(headers: IncomingHttpHeaders): boolean {
  return (
    headers["ce-specversion"] !== undefined &&
    !/^\s*application\/cloudevents/i.test(headers["content-type"] ?? "")
  );
}

/**
 * The one event of such a request. A JSON body (or one without a content type) is parsed, a text in
 * UTF-8 is kept as `{value: "…"}`, anything else as base64, as in `validateCloudEvent`; no body is no data.
 * @param headers with lower-case names, as node:http gives them
 * @throws ServiceError `invalid_json`, `invalid_event` with the attribute as `field`
 */
export function parseBinaryCloudEvent(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  options: EventRules,
): IncomingEvent[] {
  // No prototype: a header may be called `ce-__proto__`.
  const event: Record<string, unknown> = Object.create(null);
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith("ce-") || value === undefined) continue;
    const attribute = header.slice(3);
    event[attribute] = decodeHeader(Array.isArray(value) ? value.join(", ") : value, attribute);
  }
  // Not attributes: the data is the body.
  delete event.data;
  delete event.data_base64;
  const contentType = headers["content-type"];
  if (contentType !== undefined) event.datacontenttype = contentType;
  if (body.length > 0) {
    const kind = (contentType ?? "application/json").split(";", 1)[0]!.trim().toLowerCase();
    if (/[/+]json$/.test(kind)) event.data = parseJson(decodeBody(body));
    else if (/^text\/|[/+]xml$/.test(kind) && isUtf8(body)) event.data = decodeBody(body);
    else event.data_base64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64");
  }
  return [validateCloudEvent(event, 0, options)];
}

/** Header text to attribute text: quotes are taken off, percent-encoded UTF-8 is decoded (HTTP binding, 3.1.3.2). */
function decodeHeader(value: string, attribute: string): string {
  const plain = /^".*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, "$1") : value;
  try {
    return plain.replace(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent);
  } catch {
    throw refusal(
      `The header \`ce-${attribute}\` holds percent-encoded bytes that are not UTF-8.`,
      0,
      attribute,
    );
  }
}
