/** A webhook's request: as it is kept, and as its transform sees it. */
import type { WebhookPayloadRecord } from "../store/webhook-records.ts";
import { queryParameters } from "./query-params.ts";
import { type TransformInput, transformInput } from "./transform-input.ts";

/** The parts of a request that its transform is made of. */
export type RequestPayload = Pick<WebhookPayloadRecord, "query" | "headers" | "body" | "body_encoding">;

/** What a transform is called with, each as the sandbox takes it. */
export interface TransformArguments {
  evt: string;
  headers: string;
  queryParams: string;
  raw: string;
  /** What the author should know of the body; undefined when there is nothing. */
  remark: string | undefined;
}

/** Tells a transform that `raw` is base64. */
const ENCODING_HEADER = "X-Svc-Body-Encoding";

/**
 * From a request to the arguments of its transform.
 * @param parsed the body as `transformInput` gave it, when that was done already
 */
export function transformArguments(
  { query, headers, body, body_encoding }: RequestPayload,
  parsed?: TransformInput,
): TransformArguments {
  const input = parsed ?? transformInput(contentTypeOf(headers), Buffer.from(body, body_encoding));
  return {
    evt: input.evt,
    headers: withEncoding(headers, input.binary),
    queryParams: query === "" ? "{}" : JSON.stringify(queryParameters(query)),
    raw: input.raw,
    remark: input.invalidJson,
  };
}

function contentTypeOf(headers: string): string | undefined {
  return (JSON.parse(headers) as Record<string, string>)["Content-Type"];
}

/**
 * Only the service says how `raw` is encoded. Taken from a sender, the header would let anybody who has one signed
 * body send it again in base64 with a text of their own behind it: the signature would be that of the first part.
 */
function withEncoding(headers: string, binary: boolean): string {
  if (!binary && !headers.includes(ENCODING_HEADER)) return headers;
  const { [ENCODING_HEADER]: _, ...others } = JSON.parse(headers) as Record<string, string>;
  return JSON.stringify(binary ? { ...others, [ENCODING_HEADER]: "base64" } : others);
}

/** Names a branch may be chosen by: the query wins over headers. */
const SELECTOR = "x-svc-env";
const HEADERS = ["X-Svc-Env", "X-Inngest-Env"];

/**
 * The branch environment that a request names; null when it names none.
 * @param query without the question mark
 * @param headers by canonical name
 */
export function namedBranch(query: string, headers: Record<string, string>): string | null {
  const named = query.includes(SELECTOR) ? queryParameters(query)[SELECTOR]?.at(-1) : undefined;
  const name = named || HEADERS.map((header) => headers[header]).find(Boolean);
  // Longer ones name no branch, and are only kept to be shown.
  return name === undefined ? null : name.slice(0, 200);
}
