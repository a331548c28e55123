/** An event written for other places: shells, programs, type checkers. */
import type { Event } from "../api/types.ts";

/** What of an event is sent again. */
export interface SendableEvent {
  name: string;
  data: unknown;
  user?: unknown;
  v?: unknown;
}

/** The event as it would be sent, without what the service added. */
export function sendable({ name, data, user, v }: Event): SendableEvent {
  return { name, data, ...(user !== null && { user }), ...(v !== null && { v }) };
}

/** An event or several, sent from a shell. @param options of curl, each after a space @example curlText(event, "http://localhost:8288/e/dev") */
export function curlText(event: unknown, url: string, options = ""): string {
  return `curl ${url}${options} -H 'content-type: application/json' -d '${JSON.stringify(event).replaceAll("'", "'\\''")}'`;
}

/** A call of the SDK's client. */
export function sendCallText(event: SendableEvent): string {
  return `await client.send(${JSON.stringify(event, null, 2)});`;
}

/**
 * The type of an event's data as TypeScript, as far as one example tells.
 * @example typeText("order/placed", { id: 1, tags: ["a"] }) // "type OrderPlaced = {\n  id: number;\n  tags: string[];\n};"
 */
export function typeText(name: string, data: unknown): string {
  return `type ${typeName(name)} = ${typeOf([data], 0)};`;
}

function typeName(name: string): string {
  const words = name.match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^[A-Z]/.test(joined) ? joined : `Event${joined}`;
}

/** Deeper than this, one example says little. */
const MAX_TYPE_DEPTH = 12;

/** The type that all of these values have. */
function typeOf(values: unknown[], depth: number): string {
  const types = new Set<string>();
  const objects: Record<string, unknown>[] = [];
  const members: unknown[] = [];
  let arrays = 0;
  for (const value of values) {
    if (Array.isArray(value)) {
      arrays++;
      members.push(...value);
    } else if (typeof value === "object" && value !== null) objects.push(value as Record<string, unknown>);
    else types.add(value === null ? "null" : typeof value);
  }
  if (objects.length > 0)
    types.add(depth >= MAX_TYPE_DEPTH ? "Record<string, unknown>" : objectType(objects, depth));
  if (arrays > 0) {
    const inner = members.length === 0 || depth >= MAX_TYPE_DEPTH ? "unknown" : typeOf(members, depth);
    types.add(inner.includes(" | ") && !inner.startsWith("{") ? `(${inner})[]` : `${inner}[]`);
  }
  return types.size === 0 ? "unknown" : [...types].join(" | ");
}

function objectType(objects: Record<string, unknown>[], depth: number): string {
  const keys = [...new Set(objects.flatMap((each) => Object.keys(each)))];
  if (keys.length === 0) return "Record<string, never>";
  const indent = "  ".repeat(depth + 1);
  const lines = keys.map((key) => {
    const having = objects.filter((each) => Object.hasOwn(each, key));
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    const optional = having.length < objects.length ? "?" : "";
    return `${indent}${name}${optional}: ${typeOf(
      having.map((each) => each[key]),
      depth + 1,
    )};`;
  });
  return `{\n${lines.join("\n")}\n${"  ".repeat(depth)}}`;
}
