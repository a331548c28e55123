import type { TriggeringEvent } from "./registry.ts";

/** The `event` (or `async`) variable of expressions, made from an event as it is stored. Parses its JSON. */
export function eventVariable(event: TriggeringEvent): Record<string, unknown> {
  const extra = event.extra === null ? {} : (readable(event.extra) as Record<string, unknown>);
  return { user: {}, ...extra, id: event.id, name: event.name, ts: event.ts, data: readable(event.data) };
}

/**
 * Parse JSON for the expression package, which tells an object by its `constructor`: where a sender's own field
 * has that name, a Map (which it reads alike) stands in for the object.
 */
function readable(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return json.includes('"constructor"') ? withMaps(value) : value;
}

function withMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMaps);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, withMaps(item)]);
  return Object.hasOwn(value, "constructor") ? new Map(entries) : Object.fromEntries(entries);
}
