/** For tests of starters: from a sample to what its transform returns. */
import { createContext, runInContext } from "node:vm";
import type { StarterSample } from "../src/webhooks/starters/index.ts";

export interface TransformInput {
  evt: unknown;
  headers: Record<string, string>;
  queryParams: Record<string, string[]>;
  raw: string;
}

/** What `transform` of the source returns, in a realm of its own; everything crosses as JSON. */
export function runTransform(source: string, input: TransformInput): unknown {
  const context = createContext({ input: JSON.stringify(input) });
  const call = `
    const { evt, headers, queryParams, raw } = JSON.parse(input);
    JSON.stringify(transform(evt, headers, queryParams, raw)) ?? "null";`;
  return JSON.parse(runInContext(`${source};${call}`, context, { timeout: 1_000 }));
}

/** A sample's request as the service hands it to a transform. */
export function inputOf(sample: StarterSample): TransformInput {
  const canonical = Object.entries(sample.headers).map(([name, value]) => [
    name.toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
    value,
  ]);
  const query = new URLSearchParams(sample.query);
  const queryParams = Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)]));
  const isForm = sample.headers["Content-Type"] === "application/x-www-form-urlencoded";
  const evt = isForm ? Object.fromEntries(new URLSearchParams(sample.body)) : JSON.parse(sample.body);
  return { evt, headers: Object.fromEntries(canonical), queryParams, raw: sample.body };
}
