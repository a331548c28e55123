/** CloudEvents 1.0 in their JSON format, turned into events. */
import { createHash } from "node:crypto";
import { EVENT_LIMITS } from "@svc/protocol";
import { ServiceError } from "../errors.ts";
import { CloudEventAttributes } from "./validate.ts";

/**
 * The event a CloudEvent stands for: `type` is the name, `<source>#<id>` the deduplication id (its SHA-256 when it is
 * too long for one), `time` the timestamp. Data that is not an object becomes `{value}`; all attributes are kept.
 * @throws ServiceError `invalid_event` with the attribute as `field`
 */
export function fromCloudEvent(value: unknown, index: number): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ServiceError("invalid_event", "A CloudEvent must be a JSON object.", { index });
  }
  const { data, data_base64: base64, ...attributes } = value as Record<string, unknown>;
  if (attributes.specversion !== "1.0") {
    throw new ServiceError("invalid_event", '`specversion` must be "1.0".', { index, field: "specversion" });
  }
  const source = required(attributes, "source", index);
  const id = required(attributes, "id", index);
  return {
    name: required(attributes, "type", index),
    id: deduplicationId(source, id),
    ts: readTime(attributes.time, index),
    data: base64 !== undefined && data === undefined ? { value: base64 } : dataObject(data),
    cloudevent: new CloudEventAttributes(attributes),
  };
}

function required(attributes: Record<string, unknown>, name: string, index: number): string {
  const value = attributes[name];
  if (typeof value !== "string" || value === "") {
    throw new ServiceError("invalid_event", `\`${name}\` must be a string that is not empty.`, {
      index,
      field: name,
    });
  }
  return value;
}

function deduplicationId(source: string, id: string): string {
  const text = `${source}#${id}`;
  if (Buffer.byteLength(text) <= EVENT_LIMITS.idBytes) return text;
  return createHash("sha256").update(text).digest("hex");
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

function readTime(time: unknown, index: number): number | undefined {
  if (time === undefined || time === null) return undefined;
  const moment = typeof time === "string" && RFC_3339.test(time) ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(moment)) {
    throw new ServiceError("invalid_event", "`time` must be a date and time as RFC 3339 has them.", {
      index,
      field: "time",
    });
  }
  return moment;
}

function dataObject(data: unknown): unknown {
  if (data === undefined || data === null) return {};
  return typeof data === "object" && !Array.isArray(data) ? data : { value: data };
}
