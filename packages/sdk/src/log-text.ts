/**
 * What a handler logs, as text. Never throws, whatever the values do, and stops reading them when there is no room
 * left.
 */
import { cutText } from "@svc/protocol";

/** Deepest nesting that is shown. */
const MAX_DEPTH = 12;
/** Causes of an error that are followed. */
const MAX_CAUSES = 4;

/** Text being written, and how much of it there may be. */
interface Writer {
  text: string;
  room: number;
  /** The objects around the value that is being written. */
  around: object[];
}

/**
 * The values of one line: texts as they are, errors with their stack, anything else as compact JSON.
 * @param characters longest the text may be; a longer one is cut
 * @example logText(["paid", { orderId: "42" }], 4_000) // 'paid {"orderId":"42"}'
 */
export function logText(values: readonly unknown[], characters: number): string {
  // One more than there is room for, so that it shows when something is cut off.
  const writer: Writer = { text: "", room: characters + 1, around: [] };
  for (const [index, value] of values.entries()) {
    if (writer.text.length >= writer.room) break;
    if (index > 0) writer.text += " ";
    writer.text += topText(value, writer);
  }
  return cutText(writer.text, characters);
}

function topText(value: unknown, writer: Writer): string {
  try {
    if (typeof value === "string") return value;
    if (value instanceof Error) return errorText(value, MAX_CAUSES);
    if (typeof value !== "object" || value === null) return plainText(value);
    const inner: Writer = { text: "", room: roomOf(writer), around: [] };
    writeJson(value, inner);
    return inner.text;
  } catch {
    return "[unreadable]";
  }
}

function plainText(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[function ${String(value.name)}]`;
  return String(value);
}

function errorText(error: Error, causes: number): string {
  const { stack, cause } = error;
  const text = typeof stack === "string" && stack !== "" ? stack : headOf(error);
  if (cause === undefined || causes === 0) return text;
  const inner = cause instanceof Error ? errorText(cause, causes - 1) : logText([cause], 1_000);
  return `${text}\n[cause]: ${inner}`;
}

function headOf(error: Error): string {
  return `${error.name}: ${error.message}`;
}

/** `JSON.stringify` for any value: what has no JSON gets a word in brackets, and nothing is written past the room. */
function writeJson(value: unknown, writer: Writer): void {
  const depth = writer.around.length;
  try {
    writeValue(asJson(value), writer);
  } catch {
    writer.text += '"[unreadable]"';
    writer.around.length = depth;
  }
}

function writeValue(value: unknown, writer: Writer): void {
  const { around } = writer;
  if (value === null || value === undefined) {
    writer.text += "null";
  } else if (typeof value === "boolean" || typeof value === "number") {
    writer.text += String(value);
  } else if (typeof value !== "object") {
    const text = typeof value === "string" ? value : plainText(value);
    writer.text += JSON.stringify(text.slice(0, roomOf(writer)));
  } else if (around.includes(value)) {
    writer.text += '"[circular]"';
  } else if (around.length >= MAX_DEPTH) {
    writer.text += Array.isArray(value) ? '"[array]"' : '"[object]"';
  } else if (value instanceof Error) {
    writer.text += JSON.stringify(headOf(value).slice(0, roomOf(writer)));
  } else {
    around.push(value);
    if (Array.isArray(value)) writeArray(value, writer);
    else writeObject(value, writer);
    around.pop();
  }
}

/** What `toJSON` makes of a value, as of a `Date`. Bytes are not worth their JSON, which takes many times their size. */
function asJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === "function" ? toJSON.call(value, "") : value;
}

function writeArray(values: readonly unknown[], writer: Writer): void {
  writer.text += "[";
  for (let index = 0; index < values.length && roomOf(writer) > 0; index++) {
    if (index > 0) writer.text += ",";
    writeJson(readMember(values, index), writer);
  }
  writer.text += "]";
}

function writeObject(value: object, writer: Writer): void {
  writer.text += "{";
  let comma = "";
  for (const name of Object.keys(value)) {
    if (roomOf(writer) <= 0) break;
    const member = readMember(value, name);
    if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
    writer.text += `${comma}${JSON.stringify(name.slice(0, roomOf(writer)))}:`;
    comma = ",";
    writeJson(member, writer);
  }
  writer.text += "}";
}

/** A getter may throw; the rest of the object is still worth reading. */
function readMember(value: object, key: string | number): unknown {
  try {
    return (value as Record<string | number, unknown>)[key];
  } catch {
    return "[unreadable]";
  }
}

function roomOf({ text, room }: Writer): number {
  return Math.max(0, room - text.length);
}
