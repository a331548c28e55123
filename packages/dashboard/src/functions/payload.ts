import { jsonFaults } from "../parts/json-faults.ts";

/** Bytes that an invocation may carry, as the API has it. */
const MAX_BYTES = 512 * 1024;

/**
 * Why a text cannot be the data of an event; null when it can.
 * @example payloadProblem("[1]") // "The data must be an object: { … }"
 */
export function payloadProblem(text: string): string | null {
  if (new TextEncoder().encode(text).length > MAX_BYTES - 100) return "The data is longer than 512 KB.";
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return "The data must be an object: { … }";
    }
    const fault = jsonFaults(text).find(({ severity }) => severity === "error");
    return fault === undefined ? null : `${text.slice(fault.from, fault.to).slice(0, 40)}: ${fault.message}`;
  } catch {
    return "This is not JSON yet.";
  }
}
