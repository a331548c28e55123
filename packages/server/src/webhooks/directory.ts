/** The living webhooks in memory, found by key or by id; the store holds the truth. */
import { compileIpList } from "../access/ip-list.ts";
import { compileNameList } from "../access/name-list.ts";
import { type RateLimit, toRateLimit } from "../access/rate-limit.ts";
import { digest } from "../access/secrets.ts";
import type { Store } from "../store/store.ts";
import type { LoadedWebhook } from "../store/webhook-records.ts";

export interface Webhook extends LoadedWebhook {
  /** Whether a request from an address is let in; null: from any. */
  acceptsAddress: ((address: string) => boolean) | null;
  /** Whether an event of a name is let in; null: any. */
  acceptsName: ((name: string) => boolean) | null;
  limit: RateLimit | null;
}

export interface WebhookDirectory {
  /** The webhook of a key as it stands in an address. */
  byKey(key: string): Webhook | undefined;
  byId(id: string): Webhook | undefined;
  /** The webhooks an environment holds, oldest first. */
  heldBy(env: string): Webhook[];
  all(): Webhook[];
  /** Read everything anew after the store was changed. */
  reload(): Promise<void>;
}

/** Longest key that is looked up. */
const MAX_KEY_LENGTH = 100;

export async function createWebhookDirectory(store: Pick<Store, "query">): Promise<WebhookDirectory> {
  let byHash = new Map<string, Webhook>();
  let byId = new Map<string, Webhook>();
  let begun = 0;
  let loaded = 0;

  const reload = async () => {
    const turn = ++begun;
    const webhooks = (await store.query("loadWebhooks", {})).map(compile);
    // One that began later knows more, and may have been faster.
    if (turn < loaded) return;
    loaded = turn;
    byHash = new Map(webhooks.map((webhook) => [webhook.key_hash, webhook]));
    byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
  };
  await reload();

  return {
    byKey: (key) => (key.length > MAX_KEY_LENGTH ? undefined : byHash.get(digest(key))),
    byId: (id) => byId.get(id),
    heldBy: (env) => [...byId.values()].filter((webhook) => webhook.env === env),
    all: () => [...byId.values()],
    reload,
  };
}

function compile(record: LoadedWebhook): Webhook {
  const lists = (text: string | null) => (text === null ? null : JSON.parse(text));
  const [events, addresses, rate] = [record.event_filter, record.ip_filter, record.rate_limit].map(lists);
  return {
    ...record,
    acceptsAddress: addresses === null ? null : compileIpList(addresses),
    acceptsName: events === null ? null : compileNameList(events),
    limit: rate === null ? null : toRateLimit(rate),
  };
}
