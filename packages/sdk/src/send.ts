/** Sending events to `/e/<event key>`, with bounded retries that cannot duplicate. */
import { type EventIdSeed, formatEventIdSeed, HEADER, headerName } from "@svc/protocol";
import { SdkError, SendError } from "./errors.ts";
import type { EventSchemas, EventToSend } from "./event-types.ts";
import { baseHeaders } from "./service-api.ts";
import { requireBaseUrl, requireEventKey, type Settings } from "./settings.ts";
import { issuePath } from "./standard-schema.ts";
import { type HttpAnswer, type Transport, unreachable } from "./transport.ts";
import { parseRetryAfter } from "./wire-error.ts";

/** Tries of one send in all. With the waits below a send gives up after about 3 s of refusals. */
const MAX_TRIES = 5;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
/** A service that asks for more patience than this is reported to the caller instead. */
const LONGEST_RETRY_AFTER_S = 30;

/** What sending needs of a client. */
export interface Sender {
  settings: Settings;
  transport: Transport;
  schemas: EventSchemas | undefined;
}

/** Send events under one seed: however often the request is repeated, each event keeps its id. */
export async function sendEvents(
  sender: Sender,
  payload: unknown,
  from: { seed: EventIdSeed; runId?: string } = { seed: randomSeed() },
): Promise<{ ids: string[] }> {
  const events = Array.isArray(payload) ? payload : [payload];
  if (events.length === 0) return { ids: [] };
  const url = `${requireBaseUrl(sender.settings)}/e/${encodeURIComponent(requireEventKey(sender.settings))}`;
  const body = encodeEvents(await checkedEvents(events, sender.schemas));
  const headers = {
    ...baseHeaders(sender.settings),
    [headerName("svc", HEADER.eventIdSeed)]: formatEventIdSeed(from.seed),
    ...(from.runId === undefined ? {} : { [headerName("svc", HEADER.runId)]: from.runId }),
  };
  for (let tries = 1; ; tries++) {
    const outcome = await post(sender.transport, url, headers, body);
    if (!(outcome instanceof SendError)) return outcome;
    if (tries >= MAX_TRIES || !isTransient(outcome)) throw outcome;
    await wait(waitBefore(tries, outcome.retryAfter));
  }
}

/** A seed for one send: now, and ten random bytes. */
export function randomSeed(): EventIdSeed {
  return { time: Date.now(), bytes: crypto.getRandomValues(new Uint8Array(10)) };
}

async function post(
  transport: Transport,
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ ids: string[] } | SendError> {
  let response: HttpAnswer;
  try {
    response = await transport({ method: "POST", url, headers, body });
  } catch (cause) {
    return new SendError(unreachable(url, cause), { code: "network" }, { cause });
  }
  let answer: { ids?: unknown; error?: unknown; code?: unknown; index?: unknown; field?: unknown } | null =
    null;
  try {
    answer = JSON.parse(response.text);
  } catch {}
  if (response.ok && Array.isArray(answer?.ids)) return { ids: answer.ids as string[] };
  const sentence = typeof answer?.error === "string" ? answer.error : response.text.slice(0, 200);
  return new SendError(`The service refused the events (status ${response.status}): ${sentence}`, {
    status: response.status,
    code: typeof answer?.code === "string" ? answer.code : "unknown",
    index: typeof answer?.index === "number" ? answer.index : undefined,
    field: typeof answer?.field === "string" ? answer.field : undefined,
    retryAfter: parseRetryAfter(response.retryAfter, Date.now()),
  });
}

function isTransient(error: SendError): boolean {
  if ((error.retryAfter ?? 0) > LONGEST_RETRY_AFTER_S) return false;
  return error.status === undefined || error.status === 429 || error.status >= 500;
}

/** Between half and all of an exponential wait, so that many senders do not come back at once. */
function waitBefore(tries: number, retryAfter: number | undefined): number {
  const base = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
  const jittered = base * (0.5 + Math.random() / 2);
  return retryAfter === undefined ? jittered : retryAfter * 1000 + Math.random() * FIRST_WAIT_MS;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Fill in `data` and check it against its schema. What a schema gives (with its defaults) is what is sent. */
async function checkedEvents(events: unknown[], schemas: EventSchemas | undefined): Promise<EventToSend[]> {
  return Promise.all(
    events.map(async (item, index) => {
      const event = item as EventToSend | null;
      if (
        typeof event !== "object" ||
        event === null ||
        typeof event.name !== "string" ||
        !event.name.trim()
      ) {
        throw new SdkError(
          "event_invalid",
          `Event ${index}: an event is an object with a \`name\` and \`data\`.`,
        );
      }
      const data = event.data ?? {};
      const schema = schemas && Object.hasOwn(schemas, event.name) ? schemas[event.name] : undefined;
      if (!schema) return { ...event, data };
      const result = await schema["~standard"].validate(data);
      if (!result.issues) return { ...event, data: result.value as EventToSend["data"] };
      const issues = result.issues
        .map((issue) => `${issuePath(issue) || "data"}: ${issue.message}`)
        .join("; ");
      throw new SdkError(
        "event_data_invalid",
        `Event ${index} (${event.name}) does not fit its schema: ${issues}`,
      );
    }),
  );
}

function encodeEvents(events: EventToSend[]): string {
  try {
    return JSON.stringify(events);
  } catch (cause) {
    throw new SdkError(
      "not_serialisable",
      `The events cannot be turned into JSON: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}
