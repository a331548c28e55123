/** The rules every event must keep, whatever way it came. */
import { EVENT_LIMITS, RESERVED_PREFIXES } from "@svc/protocol";
import { ServiceError } from "../errors.ts";

/** An event that keeps the rules, ready to be stored. */
export interface IncomingEvent {
  name: string;
  /** JSON text of `data`. */
  data: string;
  /** Milliseconds since the epoch. */
  ts: number;
  idempotencyId: string | null;
  /** JSON text of `user`, `v` and `cloudevent`, whichever were sent; null when none was. */
  extra: string | null;
}

export interface ValidationOptions {
  /** Time of receipt, ms since the epoch. */
  now: number;
  /** Allow names that belong to the service. */
  allowReserved?: boolean;
}

/**
 * Check one event.
 * @param index its place in the request, from 0
 * @throws ServiceError `invalid_event` with `index` and `field`
 * @example validateEvent({ name: "a/b", data: {} }, 0, { now: 1000 }).ts // 1000
 */
export function validateEvent(value: unknown, index: number, options: ValidationOptions): IncomingEvent {
  if (!isObject(value)) refuse(index, null, `An event must be a JSON object, not ${kindOf(value)}.`);
  return {
    name: readName(value.name, index, options.allowReserved === true),
    data: readData(value.data, index),
    ts: readTs(value.ts, index, options.now),
    idempotencyId: readId(value.id, index),
    extra: readExtra(value, index),
  };
}

function readName(value: unknown, index: number, allowReserved: boolean): string {
  if (typeof value !== "string") refuse(index, "name", `\`name\` must be a string, not ${kindOf(value)}.`);
  const name = value.trim();
  if (name === "") refuse(index, "name", "`name` must not be empty.");
  if (isLongerThan(name, EVENT_LIMITS.nameBytes)) {
    refuse(index, "name", `\`name\` must be at most ${EVENT_LIMITS.nameBytes} bytes.`);
  }
  if (CONTROL_CHARACTER.test(name) || !name.isWellFormed()) {
    refuse(index, "name", "`name` must not contain control characters or broken Unicode.");
  }
  if (!allowReserved) {
    for (const prefix of RESERVED_PREFIXES) {
      if (name.startsWith(prefix)) {
        refuse(
          index,
          "name",
          `Names that begin with ${prefix} are reserved for events of the service itself.`,
        );
      }
    }
  }
  return name;
}

function readData(value: unknown, index: number): string {
  if (value === undefined || value === null)
    refuse(index, "data", "`data` is required: an object, {} if there is none.");
  if (!isObject(value)) refuse(index, "data", `\`data\` must be an object, not ${kindOf(value)}.`);
  return toJson(value, index, "data");
}

/** Absent, null and 0 mean now; fractions of a millisecond are cut off. */
function readTs(value: unknown, index: number, now: number): number {
  if (value === undefined || value === null || value === 0) return now;
  if (typeof value !== "number" || !Number.isFinite(value)) {
    refuse(index, "ts", `\`ts\` must be a number of milliseconds since 1970, not ${kindOf(value)}.`);
  }
  if (value < 0) refuse(index, "ts", "`ts` must not be before 1970.");
  if (value > now + EVENT_LIMITS.futureMs) refuse(index, "ts", "`ts` must be at most one year ahead.");
  return Math.trunc(value);
}

function readId(value: unknown, index: number): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string") refuse(index, "id", `\`id\` must be a string, not ${kindOf(value)}.`);
  if (isLongerThan(value, EVENT_LIMITS.idBytes)) {
    refuse(index, "id", `\`id\` must be at most ${EVENT_LIMITS.idBytes} bytes.`);
  }
  // Neither can be stored as it is by every engine.
  if (value.includes("\0") || !value.isWellFormed()) {
    refuse(index, "id", "`id` must not contain NUL or broken Unicode.");
  }
  return value;
}

function readExtra(event: Record<string, unknown>, index: number): string | null {
  const { user, v, cloudevent } = event;
  const hasUser = user !== undefined && user !== null;
  const hasV = v !== undefined && v !== null && v !== "";
  if (!hasUser && !hasV && cloudevent === undefined) return null;
  if (hasUser && !isObject(user)) refuse(index, "user", `\`user\` must be an object, not ${kindOf(user)}.`);
  if (hasV && typeof v !== "string") refuse(index, "v", `\`v\` must be a string, not ${kindOf(v)}.`);
  if (hasV && isLongerThan(v as string, 64)) refuse(index, "v", "`v` must be at most 64 bytes.");
  const extra: Record<string, unknown> = {};
  if (hasUser) extra.user = user;
  if (hasV) extra.v = v;
  if (cloudevent instanceof CloudEventAttributes) extra.cloudevent = cloudevent.attributes;
  const hasAny = hasUser || hasV || extra.cloudevent !== undefined;
  return hasAny ? toJson(extra, index, hasUser ? "user" : "v") : null;
}

/** Attributes of a CloudEvent. A class, so that a plain event's own field `cloudevent` is not taken for them. */
export class CloudEventAttributes {
  readonly attributes: Record<string, unknown>;
  constructor(attributes: Record<string, unknown>) {
    this.attributes = attributes;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

/** JSON text of a value whose nesting is within bounds. */
function toJson(value: object, index: number, field: string): string {
  const text = depthWithin(value, EVENT_LIMITS.depth) ? JSON.stringify(value) : undefined;
  if (text === undefined) {
    refuse(index, field, `\`${field}\` must not be nested deeper than ${EVENT_LIMITS.depth} levels.`);
  }
  return text;
}

/** Whether arrays and objects nest at most `levels` deep; looks no deeper than that, so hostile input costs little. */
function depthWithin(value: object, levels: number): boolean {
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === "object" && item !== null && !depthWithin(item, levels - 1)) return false;
    }
    return true;
  }
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === "object" && item !== null && !depthWithin(item, levels - 1)) return false;
  }
  return true;
}

/** UTF-8 length is between one and three bytes a UTF-16 unit: most texts are decided without counting. */
function isLongerThan(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function refuse(index: number, field: string | null, sentence: string): never {
  throw new ServiceError("invalid_event", sentence, field === null ? { index } : { index, field });
}
