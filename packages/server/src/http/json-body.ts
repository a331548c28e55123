/** Parsing of JSON request bodies, bounded in depth. */
import { ServiceError } from "../errors.ts";
import { pathOfInfinity } from "../ingest/tree.ts";
import { isDeeperThan, MAX_JSON_DEPTH } from "../nesting.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parse a request body.
 * @throws ServiceError `invalid_json` when it is not UTF-8 JSON or nests deeper than 500 levels, `invalid_request` when
 *   it has a number out of range
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
  // It would be written as `null` wherever it goes.
  const field = typeof value === "object" && value !== null ? pathOfInfinity(value, "") : undefined;
  if (field !== undefined) {
    throw new ServiceError("invalid_request", `\`${field}\` is a number out of range.`, { field });
  }
  return value;
}
