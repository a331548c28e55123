/** What is written in the dialog for sending, checked by the rules of the service. */

import { type JsonFault, jsonFaults } from "../parts/json-faults.ts";

/** A place in the text that is wrong. A warning does not keep it from being sent. */
export type DraftProblem = JsonFault;

/** Whether only the service sends events of this name. @example isReserved("svc/function.failed") // true */
export function isReserved(name: string): boolean {
  return RESERVED.some((start) => name.startsWith(start));
}

/** Parts an event may have; others are dropped by the service. */
const KNOWN = new Set(["name", "data", "id", "ts", "user", "v"]);
/** Names that begin so are the service's own. */
const RESERVED = ["svc/", "inngest/"];
/** As the service has them. */
const MAX_NAME_BYTES = 256;
const MAX_EVENTS = 5_000;

/**
 * What is wrong with the text of one event or of an array of them. Faults of the JSON itself are told by the editor.
 * @example checkDraft('{"name":""}')[0].message // "The name must not be empty."
 */
export function checkDraft(text: string): DraftProblem[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const whole = { from: 0, to: text.length, severity: "error" as const };
  if (Array.isArray(value)) {
    if (value.length === 0) return [{ ...whole, message: "The array holds no events." }];
    if (value.length > MAX_EVENTS) {
      return [{ ...whole, message: `At most ${MAX_EVENTS.toLocaleString()} events can be sent at once.` }];
    }
    return [
      ...value.flatMap((event, at) => checkEvent(event, text, `Event ${at + 1}: `)),
      ...jsonFaults(text),
    ];
  }
  return [...checkEvent(value, text, ""), ...jsonFaults(text)];
}

/** How many events a text would send; null when it cannot be sent. */
export function countDraft(text: string): number | null {
  try {
    const value: unknown = JSON.parse(text);
    if (checkDraft(text).some(({ severity }) => severity === "error")) return null;
    return Array.isArray(value) ? value.length : 1;
  } catch {
    return null;
  }
}

function checkEvent(event: unknown, text: string, prefix: string): DraftProblem[] {
  const at = (key: string, message: string, severity: DraftProblem["severity"] = "error"): DraftProblem => ({
    ...placeOf(key, text),
    message: prefix + message,
    severity,
  });
  if (!isObject(event)) return [at("", "An event is an object with a name and data.")];
  const problems: DraftProblem[] = [];
  const { name, data, id, ts, user, v } = event;
  if (name === undefined) problems.push(at("", "An event needs a name."));
  else if (typeof name !== "string") problems.push(at("name", "The name must be a text."));
  else if (name.trim() === "") problems.push(at("name", "The name must not be empty."));
  else if (new TextEncoder().encode(name.trim()).length > MAX_NAME_BYTES)
    problems.push(at("name", `The name is longer than ${MAX_NAME_BYTES} bytes.`));
  else if (isReserved(name.trim())) {
    problems.push(at("name", "Names that begin so are for events of the service itself."));
  }
  if (data === undefined) problems.push(at("", "An event needs data: {} if there is nothing to say."));
  else if (!isObject(data)) problems.push(at("data", "The data must be an object."));
  if (given(id) && typeof id !== "string") problems.push(at("id", "The id must be a text."));
  if (given(ts) && typeof ts !== "number") problems.push(at("ts", "The ts must be milliseconds since 1970."));
  if (given(user) && !isObject(user)) problems.push(at("user", "The user must be an object."));
  if (given(v) && typeof v !== "string") problems.push(at("v", "The v must be a text."));
  for (const key of Object.keys(event)) {
    if (KNOWN.has(key)) continue;
    problems.push(at(key, `An event has no part named ${key}: it is not kept. Put it into data.`, "warning"));
  }
  return problems;
}

/** null counts as absent. */
function given(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Where a key stands in the text; the first line when it cannot be told. */
function placeOf(key: string, text: string): { from: number; to: number } {
  const from = key === "" ? -1 : text.indexOf(JSON.stringify(key));
  return from === -1 ? { from: 0, to: Math.min(1, text.length) } : { from, to: from + key.length + 2 };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
