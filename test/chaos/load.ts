/**
 * Senders that go on through every crash, each in its own way: some give up when a request breaks, some repeat it
 * under the same deduplication id or the same seed until it is answered, some send what is a duplicate on purpose.
 */
import { formatEventIdSeed, seededEventId } from "../../packages/protocol/src/index.ts";
import { FUNCTIONS } from "./functions.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { type Random, seededRandom } from "./random.ts";
import { type OutgoingEvent, send } from "./send.ts";
import { createProducer } from "./webhook-load.ts";
import type { WebhookUrls } from "./webhooks.ts";

export interface LoadOptions {
  serviceUrl: string;
  /** Webhooks to send to, too. */
  webhooks?: WebhookUrls;
  seed: number;
  /** Senders at work at once. */
  senders: number;
  /** Average pause of a sender between two requests, ms. */
  pauseMs: number;
  /** Bytes added to each event. */
  paddingBytes?: number;
}

export interface Load {
  ledger: Ledger;
  /** Begin nothing new; resolves when what must be repeated until it is answered has been answered. */
  stop(): Promise<void>;
  /** Leave everything where it is, when the service will not come back. */
  abandon(): void;
}

/** Names of events that are sent from outside; `chaos/link` is sent by the app alone, `hook/…` come of webhooks. */
const NAMES = [...new Set(Object.values(FUNCTIONS).flatMap((fn) => fn.triggers))].filter(
  (name) => name.startsWith("chaos/") && name !== "chaos/link",
);

/** Pause before a request that broke or was refused is repeated, ms. */
const AGAIN_MS = 30;

/** Start sending. */
export function startLoad(options: LoadOptions): Load {
  const { serviceUrl, senders, pauseMs } = options;
  const ledger = createLedger();
  const padding = "x".repeat(options.paddingBytes ?? 100);
  let stopped = false;
  let abandoned = false;
  let keys = 0;

  const newEvent = (random: Random, deduplicated: boolean, promised: string | null = null): OutgoingEvent => {
    const key = `${deduplicated ? "id" : "key"}-${++keys}`;
    const name = random.pick(NAMES);
    ledger.add({ key, name, promised, deduplicated });
    return { name, data: { key, padding }, ...(deduplicated && { id: key }) };
  };

  const attempt = async (events: OutgoingEvent[], seed?: string): Promise<boolean> => {
    // A single event goes out as an object now and then, as people send it.
    const [only] = events;
    const outcome = await send(serviceUrl, events.length === 1 && only ? only : events, seed);
    if (outcome.kind === "wrong") ledger.violations.push(`a request was ${outcome.what}`);
    else ledger.requests[outcome.kind]++;
    if (outcome.kind !== "acknowledged") return false;
    events.forEach((event, index) => {
      ledger.acknowledge(String(event.data.key), outcome.ids[index]!);
    });
    return true;
  };

  const untilAnswered = async (events: OutgoingEvent[], seed?: string): Promise<void> => {
    while (!(await attempt(events, seed)) && !abandoned) await pause(AGAIN_MS);
  };

  /** The ways to send, each as likely as it is often named. */
  const ways: ((random: Random) => Promise<unknown>)[] = [
    (random) => attempt([newEvent(random, false)]),
    (random) => attempt([newEvent(random, false)]),
    (random) => attempt(Array.from({ length: random.between(2, 10) }, () => newEvent(random, false))),
    (random) => untilAnswered([newEvent(random, true)]),
    // The same new id at the same time.
    async (random) => {
      const event = newEvent(random, true);
      await Promise.all(
        [1, 2, 3].map((copy) => untilAnswered([{ ...event, data: { ...event.data, copy } }])),
      );
    },
    // The same id twice in one batch, beside another.
    (random) => {
      const event = newEvent(random, true);
      return untilAnswered([event, newEvent(random, true), { ...event }]);
    },
    // An id that was acknowledged before, perhaps many crashes ago.
    async (random) => {
      if (ledger.repeatable.length === 0) return;
      const { key, name } = ledger.sent.get(random.pick(ledger.repeatable))!;
      await untilAnswered([{ name, id: key, data: { key, padding, again: true } }]);
    },
    // Without ids of its own, but under a seed, as client libraries send.
    (random) => {
      const seed = { time: Date.now(), bytes: random.bytes(10) };
      const events = Array.from({ length: random.between(1, 6) }, (_, index) =>
        newEvent(random, false, seededEventId(seed, index)),
      );
      return untilAnswered(events, formatEventIdSeed(seed));
    },
  ];

  if (options.webhooks !== undefined) {
    const produce = createProducer(options.webhooks, ledger, padding, () => abandoned);
    ways.push(produce, produce, produce);
  }

  const sender = async (random: Random): Promise<void> => {
    while (!stopped) {
      await random.pick(ways)(random);
      await pause(random.between(0, 2 * pauseMs));
    }
  };
  const working = Array.from({ length: senders }, (_, i) => sender(seededRandom(options.seed + i)));

  return {
    ledger,
    async stop() {
      stopped = true;
      await Promise.all(working);
    },
    abandon() {
      stopped = true;
      abandoned = true;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
