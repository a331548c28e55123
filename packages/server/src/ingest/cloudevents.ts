/** CloudEvents 1.0 in the JSON format: how their attributes become an event of ours. */
import { createHash } from "node:crypto";
import { EVENT_LIMITS } from "@svc/protocol";
import { ServiceError } from "../errors.ts";
import { longerThan } from "../text-size.ts";
import { parseRfc3339 } from "./rfc3339.ts";
import { checkTree, describe, isObject } from "./tree.ts";
import {
  checkName,
  checkStorable,
  checkTs,
  type EventRules,
  type IncomingEvent,
  refusal,
  wrong,
} from "./validate.ts";

/**
 * Check a CloudEvent and translate it: name = `type`, deduplication id = `<source>#<id>` (source and id together
 * identify a CloudEvent), ts = `time`, data = `data` when it is an object, `{value: data}` when it is anything
 * else, `{}` when there is none. Binary data is `{value: "<base64>"}`.
 *
 * Every attribute, those translated included, is kept in `extra.cloudevent`, so that nothing is lost. For binary
 * data it also says `datacontentencoding: "base64"`, the name CloudEvents 0.3 had for it: without it a
 * function could not tell base64 from a text.
 * @param index place in the batch, from 0, for the error
 * @throws ServiceError `invalid_event` with `index` and `field`, the CloudEvents attribute
 * @example validateCloudEvent({ specversion: "1.0", type: "a.b", source: "/shop", id: "7" }, 0, { now: 0 })
 */
export function validateCloudEvent(value: unknown, index: number, rules: EventRules): IncomingEvent {
  if (!isObject(value)) {
    throw new ServiceError("invalid_event", `A CloudEvent must be a JSON object, not ${describe(value)}.`, {
      index,
    });
  }
  // A rest pattern copies own keys only and keeps one called `__proto__` a plain key.
  const { data, data_base64: base64, ...attributes } = value;
  if (attributes.specversion !== "1.0") {
    throw refusal(
      '`specversion` must be "1.0", the one version of CloudEvents understood here.',
      index,
      "specversion",
    );
  }
  const name = checkName(attributes.type, "type", index, rules);
  const source = requiredText(attributes.source, "source", index);
  const id = requiredText(attributes.id, "id", index);
  const ts = checkTs(timeOf(attributes.time, index), "time", index, rules.now);
  checkTree(attributes, "cloudevent", index);

  let content: Record<string, unknown> = {};
  if (base64 !== undefined && base64 !== null) {
    if (data !== undefined) {
      throw refusal("A CloudEvent has either `data` or `data_base64`, not both.", index, "data_base64");
    }
    if (typeof base64 !== "string")
      throw refusal(wrong("data_base64", "a string", base64), index, "data_base64");
    if (!BASE64.test(base64)) throw refusal("`data_base64` is not valid base64.", index, "data_base64");
    content = { value: base64 };
    attributes.datacontentencoding = "base64";
  } else if (data !== undefined) {
    content = isObject(data) ? data : { value: data };
    checkTree(content, "data", index);
  }
  return {
    name,
    data: JSON.stringify(content),
    ts,
    idempotencyId: deduplicationId(source, id),
    extra: JSON.stringify({ cloudevent: attributes }),
  };
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * `<source>#<id>`, or the hex SHA-256 of that text when it is longer than an id may be (a source is a URI and
 * may be long): still the same id for the same CloudEvent.
 */
function deduplicationId(source: string, id: string): string {
  const text = `${source}#${id}`;
  return longerThan(text, EVENT_LIMITS.idBytes) ? createHash("sha256").update(text).digest("hex") : text;
}

function requiredText(value: unknown, field: string, index: number): string {
  if (value === undefined || value === null) throw refusal(`\`${field}\` is required.`, index, field);
  if (typeof value !== "string") throw refusal(wrong(field, "a string", value), index, field);
  if (value === "") throw refusal(`\`${field}\` must not be empty.`, index, field);
  checkStorable(value, field, index);
  return value;
}

function timeOf(value: unknown, index: number): number | undefined {
  // The JSON format lets a sender write an unset attribute as null.
  if (value === undefined || value === null) return undefined;
  const time = typeof value === "string" ? parseRfc3339(value) : undefined;
  if (time === undefined) {
    throw refusal("`time` must be an RFC 3339 time such as 2030-01-31T12:00:00Z.", index, "time");
  }
  return time;
}
