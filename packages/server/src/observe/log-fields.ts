/** Makes any value fit for a log line: plain, bounded, and without secrets. */

export type Fields = Record<string, unknown>;

const MAX_TEXT = 4_096;
const MAX_ITEMS = 50;
const MAX_DEPTH = 4;
const HIDDEN = "[hidden]";

/** The last word of a name decides: `event_key` is a secret, `key_id` and `keys_total` are not. */
const SECRET_NAME =
  /(?:^|[-_.\s])(?:apikeys?|keys?|tokens?|secrets?|passwords?|passphrase|authorization|cookies?|signing|credentials?)$/i;
const SECRET_CAMEL_NAME =
  /[a-z0-9](?:Keys?|Tokens?|Secrets?|Passwords?|Passphrase|Authorization|Cookies?|Signing|Credentials?)$/;
const OUR_SECRETS = /(svc_[a-z]{2,8}_|signkey-[\w]+?-)[\w.~-]{8,}/g;
/** A key stands in the path of every send request. */
const KEY_IN_PATH = /(\/e\/)[^/?#\s"]{12,}/g;

/**
 * A copy of a line's fields that JSON can hold.
 * @example plainFields({ token: "x", n: 1n }) // { token: "[hidden]", n: "1" }
 */
export function plainFields(fields: Fields): Fields {
  return plainObject(fields, 0, []);
}

/**
 * Shorten a text and hide the keys in it.
 * @example redactText("POST /e/svc_evt_0123456789") // "POST /e/[hidden]"
 */
export function redactText(text: string): string {
  if (text.length > MAX_TEXT) text = `${text.slice(0, MAX_TEXT)}… (${text.length} characters)`;
  // The two searches cost less than the replacements they nearly always save.
  if (text.includes("/e/")) text = text.replace(KEY_IN_PATH, `$1${HIDDEN}`);
  if (text.includes("svc_") || text.includes("signkey-")) text = text.replace(OUR_SECRETS, `$1${HIDDEN}`);
  return text;
}

/** Whether a field of this name is never written out. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || SECRET_CAMEL_NAME.test(name);
}

function plainObject(object: object, depth: number, above: object[]): Fields {
  const plain: Fields = {};
  let count = 0;
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    if (++count > MAX_ITEMS) {
      plain["…"] = "more fields left out";
      break;
    }
    plain[name] = isSecretName(name) && isWorthHiding(value) ? HIDDEN : plainValue(value, depth, above);
  }
  return plain;
}

/** A missing or true/false secret tells something worth knowing and gives nothing away. */
function isWorthHiding(value: unknown): boolean {
  return value !== null && typeof value !== "boolean";
}

function plainValue(value: unknown, depth: number, above: object[]): unknown {
  switch (typeof value) {
    case "string":
      return redactText(value);
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "boolean":
      return value;
    case "bigint":
    case "symbol":
      return String(value);
    case "function":
      return `[function ${value.name}]`;
    case "object":
      return value === null ? null : plainReference(value, depth, above);
    default:
      return null;
  }
}

function plainReference(value: object, depth: number, above: object[]): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof URL) return redactText(value.href);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (above.includes(value)) return "[circular]";
  if (depth >= MAX_DEPTH) return Array.isArray(value) ? "[array]" : "[object]";
  const path = [...above, value];
  if (value instanceof Error) return plainError(value, depth, path);
  if (value instanceof Map) return plainObject(Object.fromEntries(value), depth + 1, path);
  if (Array.isArray(value) || value instanceof Set) {
    const items = [...value].slice(0, MAX_ITEMS).map((item) => plainValue(item, depth + 1, path));
    const size = Array.isArray(value) ? value.length : value.size;
    return size > MAX_ITEMS ? [...items, `… ${size - MAX_ITEMS} more`] : items;
  }
  return plainObject(value, depth + 1, path);
}

function plainError(error: Error, depth: number, above: object[]): Fields {
  const { name, message, stack, cause } = error;
  return {
    name,
    message: redactText(String(message)),
    // Own properties: `code`, `syscall`, `address`, `status` say what went wrong.
    ...plainObject(error, depth + 1, above),
    ...(stack && { stack: redactText(stack) }),
    ...(cause !== undefined && { cause: plainValue(cause, depth + 1, above) }),
  };
}
