/** Signing keys whose encryption nobody can undo any more, because the key of the service was lost. */
import { createUlidGenerator } from "@svc/protocol";
import type { Config } from "../../config.ts";
import type { KeyRecord } from "../../store/access-records.ts";
import type { Author } from "../../store/commands/record-change.ts";
import type { Store } from "../../store/store.ts";
import { PRODUCTION_ENVIRONMENT } from "../environments.ts";
import type { Sealer } from "./secrets.ts";

/** What an environment loses. */
export interface EnvironmentLoss {
  environment: string;
  /** Signing keys that cannot be read, oldest first. */
  keys: Pick<KeyRecord, "id" | "name" | "hint">[];
  /** Signing keys that it keeps, those of the configuration included. */
  left: number;
}

export interface Losses {
  environments: EnvironmentLoss[];
  /** Webhooks whose address cannot be shown; they still take requests. */
  webhooks: number;
}

/** Look what cannot be read. Nothing is changed. @param now ms since the epoch: keys that are over do not count */
export async function findUnreadable(
  store: Pick<Store, "query">,
  sealer: Sealer,
  { signingKeys }: Pick<Config, "signingKeys">,
  now: number,
): Promise<Losses> {
  const isReadable = (sealed: string) => {
    try {
      sealer.open(sealed);
      return true;
    } catch {
      return false;
    }
  };
  const { environments, keys } = await store.query("loadAccess", { now });
  const nameOf = new Map(environments.map(({ id, name }) => [id, name]));
  const signing = Map.groupBy(
    keys.filter(({ kind }) => kind === "signing"),
    ({ env }) => env!,
  );
  const losses = [...signing].map(([env, own]): EnvironmentLoss => {
    const lost = own.filter(({ sealed }) => !isReadable(sealed!));
    const configured = env === PRODUCTION_ENVIRONMENT ? signingKeys.length : 0;
    return { environment: nameOf.get(env) ?? env, keys: lost, left: own.length - lost.length + configured };
  });
  const webhooks = await store.query("loadWebhooks", {});
  return {
    environments: losses.filter(({ keys }) => keys.length > 0),
    webhooks: webhooks.filter(({ key_sealed }) => !isReadable(key_sealed)).length,
  };
}

/** Revoke what was found; each key has its entry in the audit log. @returns how many there were */
export async function dropUnreadable(
  store: Pick<Store, "execute">,
  { environments }: Losses,
  now: number,
): Promise<number> {
  const nextId = createUlidGenerator();
  let dropped = 0;
  for (const { id } of environments.flatMap(({ keys }) => keys)) {
    const who = { kind: "service", id: null, name: "svc drop-signing-keys", address: null };
    const author: Author = { auditId: nextId(now), now, ...who };
    if (await store.execute("revokeKey", { author, id })) dropped++;
  }
  return dropped;
}
