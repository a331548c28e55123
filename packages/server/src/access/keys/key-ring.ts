/** The keys in memory, by their hash: those given by the configuration, and those the store holds. */
import { hashSigningKey, splitSigningKey } from "@svc/protocol";
import type { Config } from "../../config.ts";
import type { KeyKind, KeyRecord, Scope } from "../../store/access-records.ts";
import type { Permission } from "../actor.ts";
import { PRODUCTION_ENVIRONMENT } from "../environments.ts";
import { compileGate, type Gate } from "../gate/gate.ts";
import { secretKeyProblem } from "./master-key.ts";
import { digest, hintOf, type Sealer } from "./secrets.ts";

/** Longest key or token that is looked up at all. */
const MAX_KEY_LENGTH = 512;

/** What a key stands for. */
export interface Key {
  /** Null for keys of the configuration: they are not in the store. */
  id: string | null;
  kind: KeyKind;
  /** Its environment; null for an API token of all of them. */
  env: string | null;
  /** What people call it; the source of the events sent with it. */
  name: string;
  /** Prefix and last characters, by which people tell keys apart. */
  hint: string;
  /** End of the grace time of a key that was rotated, ms since the epoch. */
  expiresAt: number | null;
  /** Used since that was last written down. */
  used: boolean;
  /** ms since the epoch, exact to the minute; of the configuration's keys: since the start. */
  lastUsedAt: number | null;
  /** API tokens. */
  permissions: ReadonlySet<Permission>;
  /** Event keys: what it lets in; null: everything. */
  gate: Gate | null;
  /** As the store holds it; null for keys of the configuration. */
  record: KeyRecord | null;
}

/** A key that apps and the service sign with. */
export interface SigningKey extends Key {
  secret: string;
  /** Since when it signs; null while it is only accepted. */
  signsFrom: number | null;
}

/** From the text of a key to what it stands for; undefined when it is unknown or over. */
export interface KeyRing {
  eventKey(key: string): Key | undefined;
  apiToken(token: string): Key | undefined;
  /** A stored API token by its id. */
  tokenById(id: string): Key | undefined;
  /** The key whose hash an app shows, with or without the `signkey-…-` prefix. */
  signingKeyByHash(hashed: string): Key | undefined;
  /** The signing keys of an environment that holds keys; the one that signs comes first. */
  signingKeys(holder: string): SigningKey[];
  /** Every key, those of the configuration first. */
  all(): Key[];
  /** Take over what the store holds. */
  load(records: readonly KeyRecord[]): void;
}

type Seeds = Pick<Config, "eventKeys" | "signingKeys" | "apiTokens">;

/** What each scope of a token lets it do; `manage` in all environments is everything. */
const SCOPE_PERMISSIONS: Record<Scope, Permission[]> = {
  read: ["read"],
  send: ["send"],
  manage: ["manage", "administer"],
};

/** A ring of the configuration's keys, all of production; `load` adds those of the store. */
export async function createKeyRing(config: Seeds, sealer: Sealer, now: () => number): Promise<KeyRing> {
  const seeded = await seededKeys(config);
  let keys = new Map(seeded);
  let signing = signingByHolder(keys);
  let tokens = new Map<string, Key>();

  const lives = (key: Key | undefined): Key | undefined =>
    key === undefined || (key.expiresAt !== null && key.expiresAt <= now()) ? undefined : key;
  const find = (kind: KeyKind, hash: string): Key | undefined => lives(keys.get(`${kind} ${hash}`));
  return {
    eventKey: (key) => (key.length > MAX_KEY_LENGTH ? undefined : find("event", digest(key))),
    apiToken: (token) => (token.length > MAX_KEY_LENGTH ? undefined : find("api", digest(token))),
    tokenById: (id) => lives(tokens.get(id)),
    signingKeyByHash: (hashed) =>
      hashed.length > MAX_KEY_LENGTH ? undefined : find("signing", digest(withoutPrefix(hashed))),
    signingKeys: (holder) =>
      (signing.get(holder) ?? []).filter(({ expiresAt }) => expiresAt === null || expiresAt > now()),
    all: () => [...keys.values()],
    load(records) {
      const before = new Map([...keys.values()].map((key) => [key.id, key]));
      const loaded = new Map(seeded);
      for (const record of records) {
        const known = before.get(record.id);
        const key = known !== undefined && isSame(known, record) ? known : storedKey(record, sealer);
        key.used = known?.used ?? false;
        // A key of the configuration that is stored as well stays the configuration's.
        if (!loaded.has(`${record.kind} ${record.hash}`)) loaded.set(`${record.kind} ${record.hash}`, key);
      }
      keys = loaded;
      signing = signingByHolder(keys);
      tokens = new Map();
      for (const key of keys.values()) if (key.kind === "api" && key.id !== null) tokens.set(key.id, key);
    },
  };
}

async function seededKeys(config: Seeds): Promise<Map<string, Key>> {
  const keys = new Map<string, Key>();
  const add = (kind: KeyKind, text: string, hash: string, i: number, more: Partial<SigningKey> = {}) =>
    keys.set(`${kind} ${hash}`, {
      id: null,
      kind,
      env: kind === "api" ? null : PRODUCTION_ENVIRONMENT,
      name: i === 0 ? "default" : `default-${i + 1}`,
      hint: hintOf(text),
      expiresAt: null,
      used: false,
      lastUsedAt: null,
      gate: null,
      record: null,
      permissions: kind === "api" ? permissionsOf(["read", "send", "manage"]) : permissionsOf([]),
      ...more,
    });
  for (const [i, key] of config.eventKeys.entries()) add("event", key, digest(key), i);
  for (const [i, token] of config.apiTokens.entries()) add("api", token, digest(token), i);
  for (const [i, secret] of config.signingKeys.entries()) {
    add("signing", secret, await signingKeyHash(secret), i, { secret, signsFrom: 0 });
  }
  return keys;
}

/** What is stored of a signing key: the digest of the hash that apps show. */
export async function signingKeyHash(secret: string): Promise<string> {
  return digest(withoutPrefix(await hashSigningKey(secret)));
}

/** @example permissionsOf(["read"]) // Set { "read" } */
export function permissionsOf(scopes: readonly Scope[]): ReadonlySet<Permission> {
  return new Set(scopes.flatMap((scope) => SCOPE_PERMISSIONS[scope]));
}

/** Whether a key has not changed since it was loaded: lists are long to compile, and secrets to decrypt. */
function isSame({ record }: Key, stored: KeyRecord): boolean {
  return (
    record !== null &&
    (Object.keys(stored) as (keyof KeyRecord)[]).every(
      (field) => field === "last_used_at" || record[field] === stored[field],
    )
  );
}

function storedKey(record: KeyRecord, sealer: Sealer): Key {
  const { id, kind, env, name } = record;
  const scopes = record.scopes === null ? [] : (JSON.parse(record.scopes) as Scope[]);
  const key: Key = {
    id,
    kind,
    env,
    name,
    hint: record.hint,
    expiresAt: record.expires_at,
    used: false,
    lastUsedAt: record.last_used_at,
    permissions: permissionsOf(scopes),
    gate: kind === "event" ? compileGate(record) : null,
    record,
  };
  if (kind !== "signing") return key;
  return Object.assign(key, { secret: openSealed(record, sealer), signsFrom: record.signs_from });
}

function openSealed({ name, sealed }: KeyRecord, sealer: Sealer): string {
  try {
    return sealer.open(sealed!);
  } catch (error) {
    throw secretKeyProblem(
      `The stored signing key "${name}" cannot be decrypted: SVC_SECRET_KEY, or the file secret.key in the data directory, is not the one it was encrypted with. If that one is lost, \`svc drop-signing-keys\` says what goes with it.`,
      error,
    );
  }
}

/** Newest first by the moment it began to sign; those that do not sign come last. */
function signingByHolder(keys: ReadonlyMap<string, Key>): Map<string, SigningKey[]> {
  const signing = [...keys.values()].filter((key): key is SigningKey => key.kind === "signing");
  // Stable: of the configuration's keys the first one signs.
  signing.sort((a, b) => (b.signsFrom ?? -1) - (a.signsFrom ?? -1));
  return Map.groupBy(signing, (key) => key.env!);
}

/** The hex text of a hashed signing key; anything else as it is, for it will match nothing. */
function withoutPrefix(hashed: string): string {
  return splitSigningKey(hashed)?.secret.toLowerCase() ?? hashed;
}
