/** One request to `/e/<event key>` or to a webhook, told in the ways it can end. */
import type { WebhookAnswer } from "./ledger.ts";
import { EVENT_KEY } from "./service-process.ts";

export type Outcome = { kind: "acknowledged"; ids: string[] } | Unanswered;

type Unanswered =
  /** A clean 503: nothing was taken. */
  | { kind: "refused" }
  /** No answer came: it may have been stored or not. */
  | { kind: "broken" }
  /** An answer that a sender must never get. */
  | { kind: "wrong"; what: string };

export interface OutgoingEvent {
  name: string;
  data: Record<string, unknown>;
  id?: string;
}

/** No request may hang: each is answered or broken within this time. */
const TIMEOUT_MS = 20_000;

/** Send one event or a batch, under an event-id seed if one is given. */
export async function send(
  serviceUrl: string,
  events: OutgoingEvent | OutgoingEvent[],
  seed?: string,
): Promise<Outcome> {
  const headers = seed === undefined ? {} : { "x-svc-event-id-seed": seed };
  const answer = await post(`${serviceUrl}/e/${EVENT_KEY}`, headers, JSON.stringify(events));
  if (answer.kind !== "answered") return answer;
  const { ids, text } = answer;
  const count = Array.isArray(events) ? events.length : 1;
  if (answer.status === 200 && ids.length === count) return { kind: "acknowledged", ids };
  return { kind: "wrong", what: `${count} events were answered by ${text}` };
}

/** Send one request to the address of a webhook. */
export async function sendToWebhook(
  url: string,
  body: string,
): Promise<({ kind: "acknowledged" } & WebhookAnswer) | Unanswered> {
  const answer = await post(url, {}, body);
  if (answer.kind !== "answered") return answer;
  const { status, code, ids } = answer;
  return { kind: "acknowledged", status, code, ids };
}

interface Answered extends WebhookAnswer {
  kind: "answered";
  text: string;
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<Answered | Unanswered> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    text = await response.text();
  } catch (error) {
    if ((error as Error).name === "TimeoutError") {
      return { kind: "wrong", what: `no answer within ${TIMEOUT_MS} ms` };
    }
    return { kind: "broken" };
  }
  const answer = JSON.parse(text) as { ids?: string[]; code?: string };
  const { status } = response;
  if (status === 200 || status === 202) {
    return { kind: "answered", status, code: answer.code, ids: answer.ids ?? [], text };
  }
  const refused = status === 503 && answer.code === "unavailable";
  if (refused && response.headers.has("retry-after")) return { kind: "refused" };
  return { kind: "wrong", what: `answered ${status} ${text}` };
}
