/** For tests of what the service refuses. */
import assert from "node:assert/strict";
import { ServiceError } from "../src/errors.ts";

/**
 * The code and detail of the ServiceError that `run` throws; fails when it throws none.
 * @example assert.deepEqual(refused(() => parse("{")), { code: "invalid_json" });
 */
export function refused(run: () => unknown, sentence?: RegExp): Record<string, unknown> {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    if (sentence) assert.match(error.message, sentence);
    return { code: error.code, ...error.detail };
  }
  assert.fail("It was accepted.");
}
