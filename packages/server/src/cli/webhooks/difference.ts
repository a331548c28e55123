/** In what two JSON values differ, place by place. */

export interface Difference {
  /** `events[0].data.total`. */
  path: string;
  /** JSON, cut off; `nothing` where there is none. */
  expected: string;
  actual: string;
}

/** Differences that are shown; what differs in everything is clear after a few. */
const MAX_DIFFERENCES = 20;
const MAX_SHOWN = 200;

/**
 * Compare two JSON values in depth. The order of keys makes no difference.
 * @param path what the values are called
 * @example differences({ a: 1 }, { a: "1" }, "data") // [{ path: "data.a", expected: "1", actual: '"1"' }]
 */
export function differences(expected: unknown, actual: unknown, path: string): Difference[] {
  const found: Difference[] = [];
  compare(expected, actual, path, found);
  return found;
}

function compare(expected: unknown, actual: unknown, path: string, found: Difference[]): void {
  if (found.length >= MAX_DIFFERENCES || Object.is(expected, actual)) return;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let i = 0; i < Math.max(expected.length, actual.length); i++) {
      compare(expected[i], actual[i], `${path}[${i}]`, found);
    }
  } else if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const place = /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
      compare(own(expected, key), own(actual, key), path + place, found);
    }
  } else if (expected !== actual) {
    found.push({ path, expected: shown(expected), actual: shown(actual) });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function own(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
