/** What is written in the dialog for sending, checked by the rules of the service. */

/** A place in the text that is wrong. */
export interface DraftProblem {
  from: number;
  to: number;
  message: string;
}

/** Parts an event may have; others are refused. */
const KNOWN = new Set(["name", "data", "id", "ts", "user", "v"]);
/** As the service has them. */
const MAX_NAME = 256;
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
  const whole = { from: 0, to: text.length };
  if (Array.isArray(value)) {
    if (value.length === 0) return [{ ...whole, message: "The array holds no events." }];
    if (value.length > MAX_EVENTS) {
      return [{ ...whole, message: `At most ${MAX_EVENTS.toLocaleString()} events can be sent at once.` }];
    }
    return value.flatMap((event, at) => checkEvent(event, text, `Event ${at + 1}: `));
  }
  return checkEvent(value, text, "");
}

/** How many events a text would send; null when it cannot be sent. */
export function countDraft(text: string): number | null {
  try {
    const value: unknown = JSON.parse(text);
    if (checkDraft(text).length > 0) return null;
    return Array.isArray(value) ? value.length : 1;
  } catch {
    return null;
  }
}

function checkEvent(event: unknown, text: string, prefix: string): DraftProblem[] {
  const at = (key: string, message: string): DraftProblem => ({
    ...placeOf(key, text),
    message: prefix + message,
  });
  if (!isObject(event))
    return [{ from: 0, to: text.length, message: `${prefix}An event is an object with a name and data.` }];
  const problems: DraftProblem[] = [];
  const { name, data, id, ts, v } = event;
  if (name === undefined) problems.push(at("", "An event needs a name."));
  else if (typeof name !== "string") problems.push(at("name", "The name must be a text."));
  else if (name.trim() === "") problems.push(at("name", "The name must not be empty."));
  else if (name.length > MAX_NAME)
    problems.push(at("name", `The name is longer than ${MAX_NAME} characters.`));
  if (data !== undefined && data !== null && !isObject(data))
    problems.push(at("data", "The data must be an object."));
  if (id !== undefined && typeof id !== "string") problems.push(at("id", "The id must be a text."));
  if (ts !== undefined && typeof ts !== "number")
    problems.push(at("ts", "The ts must be milliseconds since 1970."));
  if (v !== undefined && v !== null && typeof v !== "string") problems.push(at("v", "The v must be a text."));
  for (const key of Object.keys(event)) {
    if (!KNOWN.has(key))
      problems.push(at(key, `An event has no part named ${key}. What is your own belongs into data.`));
  }
  return problems;
}

/** Where a key stands in the text; the first line when it cannot be told. */
function placeOf(key: string, text: string): { from: number; to: number } {
  const from = key === "" ? -1 : text.indexOf(JSON.stringify(key));
  return from === -1 ? { from: 0, to: Math.min(1, text.length) } : { from, to: from + key.length + 2 };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
