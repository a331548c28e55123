/** Parsing of JSON request bodies, bounded in depth. */
import { ServiceError } from "../errors.ts";

/** Nesting of a request body: outputs of steps may be deep, but no deeper than recursion can follow. */
const MAX_DEPTH = 500;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parse a request body.
 * @throws ServiceError `invalid_json` when it is not UTF-8 JSON or nests deeper than 500 levels
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ServiceError("invalid_json");
  }
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw new ServiceError("invalid_json", `The body nests deeper than ${MAX_DEPTH} levels.`);
  }
  return value;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeperThan(inner, levels - 1)) return true;
  return false;
}
