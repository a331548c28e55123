/** Looks at parsed JSON as a tree: its shape, its depth, and the numbers JSON cannot write back. */
import { EVENT_LIMITS } from "@svc/protocol";
import { ServiceError } from "../errors.ts";

/** Whether a JSON value is an object: no array, no null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A JSON value's kind as it reads in a sentence: "an array", "null". */
export function describe(value: unknown): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number" && !Number.isFinite(value)) return "a number out of range";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}

/**
 * Refuse a value that nests too deep, or that holds a number out of range.
 *
 * Depth: `JSON.stringify` is recursive, here and in every app the event reaches; the value itself is level 1.
 * Numbers: `1e999` parses to Infinity, and Infinity is written as `null`. Storing that would change the
 * sender's data behind their back, so it is refused, with the path of the number.
 * @param root what the value is called in the error's `field`: `data`, `user`
 * @throws ServiceError `invalid_event`
 */
export function checkTree(value: object, root: string, index: number): void {
  const flaw = flawOf(value, EVENT_LIMITS.depth);
  if (flaw === SOUND) return;
  if (flaw === TOO_DEEP) {
    throw new ServiceError(
      "invalid_event",
      `\`${root}\` nests more than ${EVENT_LIMITS.depth} levels deep.`,
      {
        index,
        field: root,
        limit: EVENT_LIMITS.depth,
      },
    );
  }
  const field = pathOfInfinity(value, root) ?? root;
  throw new ServiceError("invalid_event", `\`${field}\` is a number out of range.`, { index, field });
}

const SOUND = 0;
const TOO_DEEP = 1;
const OUT_OF_RANGE = 2;

/** The first flaw on a walk that goes at most `room` levels down. About 10 ns per value. */
function flawOf(value: object, room: number): typeof SOUND | typeof TOO_DEEP | typeof OUT_OF_RANGE {
  if (room === 0) return TOO_DEEP;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const flaw = flawOfItem(value[i], room);
      if (flaw !== SOUND) return flaw;
    }
    return SOUND;
  }
  // Objects of JSON.parse inherit nothing enumerable, so `for in` sees exactly their own keys (and is faster).
  for (const key in value) {
    const flaw = flawOfItem((value as Record<string, unknown>)[key], room);
    if (flaw !== SOUND) return flaw;
  }
  return SOUND;
}

function flawOfItem(item: unknown, room: number): typeof SOUND | typeof TOO_DEEP | typeof OUT_OF_RANGE {
  if (typeof item === "object") return item === null ? SOUND : flawOf(item, room - 1);
  return typeof item === "number" && !Number.isFinite(item) ? OUT_OF_RANGE : SOUND;
}

const PATH_LENGTH = 200;

/**
 * Dotted path of the first number out of range; undefined when there is none. The value must be known to be no deeper
 * than recursion can follow.
 * @param path of the value itself; empty at the root
 */
export function pathOfInfinity(value: object, path: string): string | undefined {
  for (const [key, item] of Object.entries(value)) {
    const place = path === "" ? key : `${path}.${key}`;
    if (typeof item === "number" && !Number.isFinite(item)) {
      return place.slice(0, PATH_LENGTH).toWellFormed();
    }
    if (typeof item === "object" && item !== null) {
      const found = pathOfInfinity(item, place);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
