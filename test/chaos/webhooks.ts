/** The webhooks of the crash suite, as plain data: the service is given them, the verification expects what they do. */
import { API_TOKEN } from "./service-process.ts";

export interface ExpectedWebhook {
  transform: string;
  /** Name of the events that a request becomes, and how many; none when it is not accepted. */
  event: string;
  events: number;
  /** How a request ends. A deduplicated one may also end as `duplicate`. */
  status: "accepted" | "failed" | "ignored";
  /** The key of the request is the id of its event, so that a producer may repeat it. */
  deduplicated: boolean;
}

/** Takes as long as the request says, so that kills find transforms at work. */
const BUSY = "for (const until = Date.now() + evt.busy_ms; Date.now() < until; );";

const accepts = { status: "accepted", deduplicated: false } as const;
const becomesNothing = { event: "", events: 0, deduplicated: false } as const;

export const WEBHOOKS = {
  one: {
    ...accepts,
    transform: `function transform(evt) { ${BUSY} return { name: "hook/one", data: { key: evt.key } }; }`,
    event: "hook/one",
    events: 1,
  },
  many: {
    ...accepts,
    transform: `async function transform(evt) {
      ${BUSY}
      return [0, 1, 2].map((place) => ({ name: "hook/many", data: { key: evt.key, place } }));
    }`,
    event: "hook/many",
    events: 3,
  },
  identified: {
    ...accepts,
    transform: `function transform(evt) {
      ${BUSY}
      return { name: "hook/identified", id: evt.key, data: { key: evt.key } };
    }`,
    event: "hook/identified",
    events: 1,
    deduplicated: true,
  },
  failing: {
    ...becomesNothing,
    transform: `function transform(evt) { ${BUSY} throw new Error("this transform is meant to fail"); }`,
    status: "failed",
  },
  ignoring: {
    ...becomesNothing,
    transform: `function transform(evt) { ${BUSY} return null; }`,
    status: "ignored",
  },
} satisfies Record<string, ExpectedWebhook>;

export type WebhookName = keyof typeof WEBHOOKS;

export const WEBHOOK_NAMES = Object.keys(WEBHOOKS) as WebhookName[];

/** Where the requests of each webhook go. */
export type WebhookUrls = Record<WebhookName, string>;

/** Create them all in a running service. */
export async function createWebhooks(serviceUrl: string): Promise<WebhookUrls> {
  const urls: Partial<WebhookUrls> = {};
  for (const name of WEBHOOK_NAMES) {
    urls[name] = await createWebhook(serviceUrl, name, WEBHOOKS[name].transform);
  }
  return urls as WebhookUrls;
}

/** Create one webhook. @returns where its requests go */
export async function createWebhook(serviceUrl: string, name: string, transform: string): Promise<string> {
  const response = await fetch(`${serviceUrl}/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${API_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ name, transform }),
  });
  if (!response.ok) throw new Error(`the webhook ${name} was not created: ${await response.text()}`);
  return ((await response.json()) as { data: { url: string } }).data.url;
}
