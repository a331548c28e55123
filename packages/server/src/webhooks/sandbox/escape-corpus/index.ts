/**
 * Transforms that mean harm, each with what must come of it: attempts at the host, at time and memory without end, at
 * the realm around them, and at whoever reads what they return or throw. A file for each kind of attack.
 */
import { ENDLESS } from "./endless.ts";
import { GREEDY } from "./greedy.ts";
import type { HostileTransform } from "./hostile-transform.ts";
import { MEDDLING } from "./meddling.ts";
import { ODD_RESULTS } from "./odd-results.ts";
import { REACHING_OUT } from "./reaching-out.ts";
import { THROWING } from "./throwing.ts";

/** @example for (const { name, source, expect } of ESCAPE_CORPUS) … */
export const ESCAPE_CORPUS: readonly HostileTransform[] = [
  ...ENDLESS,
  ...GREEDY,
  ...REACHING_OUT,
  ...MEDDLING,
  ...THROWING,
  ...ODD_RESULTS,
];
