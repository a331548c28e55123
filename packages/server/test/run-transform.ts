/** For tests of transforms: from a sample to what its transform returns, in the sandbox that runs it for users. */
import { transformArguments } from "../src/webhooks/request.ts";
import type { TransformOutcome } from "../src/webhooks/sandbox/outcome.ts";
import { createSandbox } from "../src/webhooks/sandbox/sandbox.ts";
import type { StarterSample } from "../src/webhooks/starters/index.ts";
import { payloadOf } from "../src/webhooks/try-transform.ts";

export interface TransformInput {
  evt: unknown;
  headers: Record<string, string>;
  queryParams: Record<string, string[]>;
  raw: string;
}

/**
 * One for all tests of a file: starting its thread takes longer than a hundred calls. The thread ends soon after the
 * last call, so that it keeps no process alive whose tests are done.
 */
const sandbox = createSandbox({ workers: 1, idleMs: 200 });
const lanes = new Map<string, string>();

/** What becomes of a call of the source's `transform`. */
export async function callTransform(source: string, input: TransformInput): Promise<TransformOutcome> {
  if (!lanes.has(source)) lanes.set(source, `source ${lanes.size}`);
  const { evt, headers, queryParams, raw } = input;
  // A test that waits for its answer has nothing else to live for.
  const alive = setInterval(() => {}, 1_000);
  try {
    return await sandbox.run({
      webhookId: lanes.get(source)!,
      version: 1,
      source,
      evt: JSON.stringify(evt),
      headers: JSON.stringify(headers),
      queryParams: JSON.stringify(queryParams),
      raw,
    });
  } finally {
    clearInterval(alive);
  }
}

/** What `transform` of the source returns. @throws Error with its message when it fails */
export async function runTransform(source: string, input: TransformInput): Promise<unknown> {
  const outcome = await callTransform(source, input);
  if (outcome.status === "failed") throw new Error(`${outcome.error.name}: ${outcome.error.message}`);
  return outcome.value === null ? null : JSON.parse(outcome.value);
}

/** A sample's request as the service hands it to a transform. */
export function inputOf({ body, headers, query }: StarterSample): TransformInput {
  const input = transformArguments(payloadOf(body, headers, query));
  return {
    evt: JSON.parse(input.evt),
    headers: JSON.parse(input.headers),
    queryParams: JSON.parse(input.queryParams),
    raw: input.raw,
  };
}
