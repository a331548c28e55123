/** One request to `/e/<event key>`, told in the three ways it can end. */
import { EVENT_KEY } from "./service-process.ts";

export type Outcome =
  | { kind: "acknowledged"; ids: string[] }
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
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${serviceUrl}/e/${EVENT_KEY}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(seed && { "x-svc-event-id-seed": seed }) },
      body: JSON.stringify(events),
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
  if (response.status === 200) {
    const count = Array.isArray(events) ? events.length : 1;
    if (answer.ids?.length === count) return { kind: "acknowledged", ids: answer.ids };
    return { kind: "wrong", what: `${count} events were answered by ${text}` };
  }
  const refused = response.status === 503 && answer.code === "unavailable";
  if (refused && response.headers.has("retry-after")) return { kind: "refused" };
  return { kind: "wrong", what: `answered ${response.status} ${text}` };
}
