/**
 * Producers of webhook requests that go on through every crash. Most send a request once; what has a deduplication id is
 * sent again until it is answered, as producers do.
 */
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import { sendToWebhook } from "./send.ts";
import { WEBHOOK_NAMES, WEBHOOKS, type WebhookName, type WebhookUrls } from "./webhooks.ts";

/** Pause before a request that broke or was refused is repeated, ms. */
const AGAIN_MS = 30;

/** Most requests that are sent at once. */
const BURST = 8;

/**
 * @param abandoned whether to give up what is not answered yet
 * @returns sends a few requests side by side, resolves when that is over
 */
export function createProducer(
  urls: WebhookUrls,
  ledger: Ledger,
  padding: string,
  abandoned: () => boolean,
): (random: Random) => Promise<void> {
  let keys = 0;

  const attempt = async (webhook: WebhookName, key: string, body: string): Promise<boolean> => {
    ledger.sentToWebhook(key, webhook, body);
    const outcome = await sendToWebhook(urls[webhook], body);
    if (outcome.kind === "wrong") ledger.violations.push(`a webhook request was ${outcome.what}`);
    else ledger.requests[outcome.kind]++;
    if (outcome.kind !== "acknowledged") return false;
    ledger.answeredByWebhook(key, outcome);
    return true;
  };

  const produceOne = async (random: Random): Promise<void> => {
    const webhook = random.pick(WEBHOOK_NAMES);
    const key = `hook-${++keys}`;
    const body = JSON.stringify({ key, busy_ms: random.between(0, 6), padding });
    if (!WEBHOOKS[webhook].deduplicated) {
      await attempt(webhook, key, body);
      return;
    }
    const copies = random.between(1, 2);
    const untilAnswered = async () => {
      while (!(await attempt(webhook, key, body)) && !abandoned()) await pause(AGAIN_MS);
    };
    await Promise.all(Array.from({ length: copies }, untilAnswered));
  };

  // In bursts, as they come from producers: so a kill meets several that were only just answered, or not quite.
  return async (random) => {
    await Promise.all(Array.from({ length: random.between(1, BURST) }, () => produceOne(random)));
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
