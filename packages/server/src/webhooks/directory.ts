/** The living webhooks in memory, found by key or by id; the store holds the truth. */
import { compileGate, type Gate } from "../access/gate/gate.ts";
import { digest } from "../access/keys/secrets.ts";
import type { Clock } from "../clock.ts";
import { createRefresh } from "../store/refresh.ts";
import type { Store } from "../store/store.ts";
import type { LoadedWebhook } from "../store/webhook-records.ts";

export interface Webhook extends LoadedWebhook {
  /** Whom and what it lets in; null: everything. */
  gate: Gate | null;
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

export async function createWebhookDirectory(
  store: Pick<Store, "query">,
  clock: Clock,
): Promise<WebhookDirectory> {
  let byHash = new Map<string, Webhook>();
  let byId = new Map<string, Webhook>();

  const { reload } = createRefresh({
    clock,
    read: () => store.query("loadWebhooks", {}),
    take(records) {
      const webhooks = records.map(compile);
      byHash = new Map(webhooks.map((webhook) => [webhook.key_hash, webhook]));
      byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
    },
  });
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
  return { ...record, gate: compileGate(record) };
}
