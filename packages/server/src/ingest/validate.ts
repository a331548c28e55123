/** The rules of an event, on parsed JSON. Every route into the service (HTTP, webhooks, steps) ends here. */
import { EVENT_LIMITS, RESERVED_PREFIXES } from "@svc/protocol";
import { ServiceError } from "../errors.ts";
import { longerThan } from "../text-size.ts";
import { checkTree, describe, isObject } from "./tree.ts";

/** An event that passed validation, ready to store. */
export interface IncomingEvent {
  /** Trimmed. */
  name: string;
  /** JSON text of `data`, an object. */
  data: string;
  /** Milliseconds since the epoch, an integer. */
  ts: number;
  /** The sender's deduplication id. */
  idempotencyId: string | null;
  /** JSON text of `{user?, v?, cloudevent?}`, or null when there is none of them. */
  extra: string | null;
}

export interface EventRules {
  /** Time of receipt, ms since the epoch. */
  now: number;
  /** Let names of the service itself pass (`svc/…`, `inngest/…`). */
  allowReserved?: boolean;
}

const VERSION_BYTES = 64;

/**
 * Check one event and bring it into the form in which it is stored.
 *
 * Numbers are IEEE doubles, as for every JavaScript reader: integers beyond 2^53 are rounded.
 * @param value what `JSON.parse` gave
 * @param index place in the batch, from 0, for the error
 * @throws ServiceError `invalid_event` with `index` and `field`
 * @example validateEvent({ name: "shop/order.placed", data: { total: 5 } }, 0, { now: Date.now() })
 */
export function validateEvent(value: unknown, index: number, rules: EventRules): IncomingEvent {
  if (!isObject(value)) {
    throw new ServiceError("invalid_event", `An event must be a JSON object, not ${describe(value)}.`, {
      index,
    });
  }
  const name = checkName(value.name, "name", index, rules);
  const data = value.data;
  if (!isObject(data)) {
    throw refusal(
      data === undefined
        ? "`data` is required: a JSON object, `{}` if there is nothing to say."
        : wrong("data", "a JSON object", data),
      index,
      "data",
    );
  }
  checkTree(data, "data", index);
  return {
    name,
    data: JSON.stringify(data),
    ts: checkTs(value.ts, "ts", index, rules.now),
    idempotencyId: checkId(value.id, index),
    extra: extraOf(value.user, value.v, index),
  };
}

/** The trimmed name. `field` is where it came from: `name`, or `type` of a CloudEvent. */
export function checkName(value: unknown, field: string, index: number, rules: EventRules): string {
  if (typeof value !== "string") {
    throw refusal(
      value === undefined ? `\`${field}\` is required.` : wrong(field, "a string", value),
      index,
      field,
    );
  }
  const name = value.trim();
  if (name === "") throw refusal(`\`${field}\` must not be empty.`, index, field);
  if (longerThan(name, EVENT_LIMITS.nameBytes)) {
    throw refusal(`\`${field}\` must be at most ${EVENT_LIMITS.nameBytes} bytes long.`, index, field);
  }
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    // C0, DEL and C1: they would break log lines and terminals.
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) {
      throw refusal(`\`${field}\` must not contain control characters.`, index, field);
    }
  }
  if (!name.isWellFormed()) throw refusal(`\`${field}\` contains half a surrogate pair.`, index, field);
  if (rules.allowReserved !== true) {
    for (const prefix of RESERVED_PREFIXES) {
      if (name.startsWith(prefix)) {
        throw refusal(
          `\`${field}\` must not begin with \`${prefix}\`: such names are reserved for events that the service itself emits.`,
          index,
          field,
        );
      }
    }
  }
  return name;
}

/**
 * The deduplication id as sent (not trimmed), null when absent. NUL is refused because PostgreSQL cannot hold
 * it, half a surrogate pair because it has no UTF-8 form and two such ids would become equal.
 */
function checkId(value: unknown, index: number): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string") throw refusal(wrong("id", "a string", value), index, "id");
  if (longerThan(value, EVENT_LIMITS.idBytes)) {
    throw refusal(`\`id\` must be at most ${EVENT_LIMITS.idBytes} bytes long.`, index, "id");
  }
  checkStorable(value, "id", index);
  return value;
}

/** Refuse text that a database cannot hold faithfully. */
export function checkStorable(text: string, field: string, index: number): void {
  if (text.includes("\0")) throw refusal(`\`${field}\` must not contain NUL characters.`, index, field);
  if (!text.isWellFormed()) throw refusal(`\`${field}\` contains half a surrogate pair.`, index, field);
}

/** The time of an event, whole milliseconds; `now` when absent, null or 0. */
export function checkTs(value: unknown, field: string, index: number, now: number): number {
  if (value === undefined || value === null || value === 0) return now;
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw refusal(wrong(field, "a finite number of milliseconds since 1970", value), index, field);
  }
  if (value < 0) throw refusal(`\`${field}\` must not lie before 1970.`, index, field);
  const ts = Math.round(value);
  if (ts > now + EVENT_LIMITS.futureMs) {
    throw refusal(
      `\`${field}\` must not lie more than a year ahead (it counts milliseconds since 1970).`,
      index,
      field,
    );
  }
  // A fraction below half a millisecond is no more a time than 0 is.
  return ts === 0 ? now : ts;
}

/** `user` and `v` as sent. null counts as absent: many clients write unset optional fields as null. */
function extraOf(user: unknown, v: unknown, index: number): string | null {
  if (user === undefined && v === undefined) return null;
  const extra: { user?: object; v?: string } = {};
  if (user !== undefined && user !== null) {
    if (!isObject(user)) throw refusal(wrong("user", "a JSON object", user), index, "user");
    checkTree(user, "user", index);
    extra.user = user;
  }
  if (v !== undefined && v !== null) {
    if (typeof v !== "string") throw refusal(wrong("v", "a string", v), index, "v");
    if (longerThan(v, VERSION_BYTES)) {
      throw refusal(`\`v\` must be at most ${VERSION_BYTES} bytes long.`, index, "v");
    }
    extra.v = v;
  }
  return extra.user === undefined && extra.v === undefined ? null : JSON.stringify(extra);
}

/** An `invalid_event` error at a field of the event at `index`. */
export function refusal(sentence: string, index: number, field: string): ServiceError {
  return new ServiceError("invalid_event", sentence, { index, field });
}

/** "`ts` must be a number, not a string." */
export function wrong(field: string, expected: string, value: unknown): string {
  return `\`${field}\` must be ${expected}, not ${describe(value)}.`;
}
