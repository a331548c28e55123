/** A JSON value as lines to be shown, each knowing where it stands in the value. */

export type JsonKind = "string" | "number" | "boolean" | "null" | "object" | "array";

export interface JsonLine {
  /** As JavaScript reaches it: `data.items[0]`. */
  path: string;
  depth: number;
  /** Name of the member; null in arrays and at the top. */
  name: string | null;
  kind: JsonKind;
  value: unknown;
  /** `open` begins an object or array, `close` ends it; `whole` is a value on one line. */
  part: "open" | "close" | "whole";
  /** An object or array that is shown on one line though it is not empty. */
  folded: boolean;
  /** Members of an object or array. */
  size: number;
  /** A comma follows. */
  comma: boolean;
}

/** Deeper values are shown folded and cannot be opened: nothing readable is that deep. */
export const MAX_DEPTH = 200;

/**
 * @param isFolded asked for each object and array that is not empty
 * @example linesOf({ a: [1] }, () => false, "data").map((line) => line.path)
 * // ["data", "data.a", "data.a[0]", "data.a", "data"]
 */
export function linesOf(
  value: unknown,
  isFolded: (path: string, depth: number) => boolean,
  root = "data",
): JsonLine[] {
  const lines: JsonLine[] = [];
  const add = (each: unknown, path: string, name: string | null, depth: number, comma: boolean): void => {
    const kind = kindOf(each);
    const base = { path, depth, name, kind, value: each, comma };
    if (kind !== "object" && kind !== "array") {
      lines.push({ ...base, part: "whole", folded: false, size: 0 });
      return;
    }
    const members = kind === "array" ? (each as unknown[]) : Object.entries(each as object);
    const size = members.length;
    const folded = size > 0 && (depth >= MAX_DEPTH || isFolded(path, depth));
    if (folded || size === 0) {
      lines.push({ ...base, part: "whole", folded, size });
      return;
    }
    lines.push({ ...base, part: "open", folded: false, size, comma: false });
    for (let i = 0; i < size; i++) {
      const more = i < size - 1;
      if (kind === "array") add(members[i], `${path}[${i}]`, null, depth + 1, more);
      else {
        const [key, member] = members[i] as [string, unknown];
        add(member, path + memberPath(key), key, depth + 1, more);
      }
    }
    lines.push({ ...base, part: "close", folded: false, size });
  };
  add(value, root, null, 0, false);
  return lines;
}

/** Places of the lines whose name or value has the text in it, in upper or lower case. */
export function matchesIn(lines: readonly JsonLine[], text: string): number[] {
  const wanted = text.toLowerCase();
  const found: number[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.part === "close") continue;
    const own = line.kind === "object" || line.kind === "array" ? "" : String(line.value);
    if (line.name?.toLowerCase().includes(wanted) || own.toLowerCase().includes(wanted)) found.push(at);
  }
  return found;
}

/** Objects and arrays in a value, itself included, but not more than `most`. */
export function countNodes(value: unknown, most: number): number {
  const open = [value];
  let count = 0;
  while (open.length > 0 && count < most) {
    const each = open.pop();
    count++;
    if (typeof each === "object" && each !== null)
      for (const member of Object.values(each)) open.push(member);
  }
  return count;
}

function memberPath(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function kindOf(value: unknown): JsonKind {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonKind;
}
