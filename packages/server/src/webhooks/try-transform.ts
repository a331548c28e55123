/** Runs a transform without a webhook, as testers and editors do. Nothing is stored. */
import { canonicalHeaders } from "./canonical-headers.ts";
import { type Interpreted, interpret } from "./interpret.ts";
import { type RequestPayload, transformArguments } from "./request.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";

let tries = 0;

/**
 * Run a transform on a request.
 * @param lane the tries of one person are scheduled as the requests of one webhook are
 * @param now the `ts` of events without one, ms since the epoch
 * @throws ServiceError `unavailable` when the sandbox has too much to do, `payload_too_large`
 */
export async function tryTransform(
  sandbox: Pick<Sandbox, "run">,
  lane: string,
  source: string,
  payload: RequestPayload,
  now: number,
): Promise<Interpreted> {
  const { remark, ...input } = transformArguments(payload);
  // Each try is a version of its own: it must not suffer from what another one was throttled for.
  const outcome = await sandbox.run({ webhookId: `try ${lane}`, version: ++tries, source, ...input });
  return interpret(outcome, now, remark);
}

/**
 * A request put together by hand.
 * @param body its text as it is; any other value becomes JSON
 * @param encoding of a body that is text: `base64` when it stands for bytes
 * @param query with or without the question mark
 */
export function payloadOf(
  body: unknown,
  headers: Record<string, string>,
  query: string,
  encoding: RequestPayload["body_encoding"] = "utf8",
): RequestPayload {
  return {
    query: query.replace(/^\?/, ""),
    headers: JSON.stringify(canonicalHeaders(Object.entries(headers).flat())),
    body: typeof body === "string" ? body : JSON.stringify(body),
    body_encoding: typeof body === "string" ? encoding : "utf8",
  };
}
