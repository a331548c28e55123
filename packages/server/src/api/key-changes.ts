/** What event keys, signing keys and API tokens have in common: finding, creating, changing, rotating and revoking them. */
import type { Key } from "../access/keys/key-ring.ts";
import { type KeySettings, makeKey } from "../access/keys/new-key.ts";
import { ServiceError } from "../errors.ts";
import type { RouteRequest } from "../http/route.ts";
import type { KeyKind } from "../store/access-records.ts";
import { MAX_KEYS } from "../store/commands/create-key.ts";
import type { UpdateKeyArgs } from "../store/commands/update-key.ts";
import type { ListedKey } from "./key-answer.ts";
import type { ApiParts } from "./parts.ts";

export type KeyParts = Pick<ApiParts, "access" | "store" | "sealer" | "clock" | "nextId" | "config">;

/** Where the configuration's keys come from. */
const SETTINGS_OF: Record<KeyKind, string> = {
  event: "--event-key or SVC_EVENT_KEY",
  signing: "--signing-key or SVC_SIGNING_KEY",
  api: "--api-token or SVC_API_TOKEN",
};

type Caller = Pick<RouteRequest, "actor" | "remoteAddress">;

export interface KeyChanges {
  /** The living keys of an environment that holds keys; of all API tokens with null. */
  list(holder: string | null): ListedKey[];
  /** @throws ServiceError `not_found`; `conflict` when it comes from the configuration */
  find(holder: string | null, id: string | undefined): Key & { id: string };
  /** @returns the new key's secret, and the key as it is listed */
  create(caller: Caller, settings: Omit<KeySettings, "id" | "kind">): Promise<CreatedKey>;
  update(caller: Caller, id: string, change: UpdateKeyArgs["change"]): Promise<ListedKey>;
  /** Create another key with these settings; the old one is over after `graceMs`. */
  rotate(
    caller: Caller,
    old: Key & { id: string },
    graceMs: number,
    settings: Omit<KeySettings, "id" | "kind" | "name">,
  ): Promise<CreatedKey>;
  revoke(caller: Caller, id: string): Promise<void>;
}

export interface CreatedKey {
  secret: string;
  listed: ListedKey;
}

/** The changes for one kind of key. Each is in force when it resolves. */
export function keyChanges(parts: KeyParts, kind: KeyKind): KeyChanges {
  const { access, store, sealer, clock, nextId, config } = parts;

  const list = (holder: string | null): ListedKey[] => {
    if (config.mode === "dev") return [];
    const now = clock.now();
    let configured = 0;
    return access.keys
      .all()
      .filter((key) => key.kind === kind && (holder === null || key.env === holder))
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .map((key) => ({ id: key.id ?? `configuration-${kind}-${++configured}`, key }));
  };
  const listed = (id: string): ListedKey => {
    const key = access.keys.all().find((each) => each.id === id);
    // Revoked by somebody else within the same milliseconds.
    if (key === undefined) throw gone();
    return { id, key };
  };
  const refuseInDevelopment = () => {
    if (config.mode === "dev") {
      throw new ServiceError("conflict", "`svc dev` takes any key: there is nothing to create.");
    }
  };

  return {
    list,
    find(holder, id) {
      const found = list(holder).find((each) => each.id === id);
      if (found === undefined) throw gone();
      const { key } = found;
      if (key.id === null) {
        throw new ServiceError(
          "conflict",
          `This key comes from the configuration (${SETTINGS_OF[kind]}): change it there, and start the service anew.`,
        );
      }
      return { ...key, id: key.id };
    },
    async create({ actor, remoteAddress }, settings) {
      refuseInDevelopment();
      const { secret, record } = await makeKey({ ...settings, id: nextId(clock.now()), kind }, sealer);
      const author = access.author(actor, remoteAddress);
      if ((await store.execute("createKey", { author, key: record })) === "too_many") throw tooMany();
      await access.reload();
      return { secret, listed: listed(record.id) };
    },
    async update({ actor, remoteAddress }, id, change) {
      const author = access.author(actor, remoteAddress);
      if (!(await store.execute("updateKey", { author, id, change }))) throw gone();
      await access.reload();
      return listed(id);
    },
    async rotate({ actor, remoteAddress }, old, graceMs, settings) {
      const made = { ...settings, name: old.name, id: nextId(clock.now()), kind };
      const { secret, record } = await makeKey(made, sealer);
      const author = access.author(actor, remoteAddress);
      const args = { author, id: old.id, expiresAt: author.now + graceMs, key: record };
      const outcome = await store.execute("rotateKey", args);
      if (outcome === "gone") throw gone();
      if (outcome === "too_many") throw tooMany();
      await access.reload();
      return { secret, listed: listed(record.id) };
    },
    async revoke({ actor, remoteAddress }, id) {
      const author = access.author(actor, remoteAddress);
      if (!(await store.execute("revokeKey", { author, id }))) throw gone();
      await access.reload();
    },
  };
}

function gone(): ServiceError {
  return new ServiceError("not_found", "There is no such key.");
}

function tooMany(): ServiceError {
  return new ServiceError("conflict", `There are ${MAX_KEYS} keys already: revoke those that nobody uses.`);
}
