/** Parsing of JSON request bodies, bounded in depth. */
import { ServiceError } from "../errors.ts";
import { isDeeperThan, MAX_JSON_DEPTH } from "../nesting.ts";

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
  if (isDeeperThan(value, MAX_JSON_DEPTH)) {
    throw new ServiceError("invalid_json", `The body nests deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  return value;
}
