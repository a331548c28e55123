import type { KeyKind, KeyRecord } from "../access-records.ts";
import { firstRow, run, type Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

export type NewKeyRecord = Omit<
  KeyRecord,
  "created_at" | "created_by" | "last_used_at" | "expires_at" | "revoked_at"
> & {
  /** API tokens: when it is over, ms since the epoch. */
  expires_at?: number | null;
};

export interface CreateKeyArgs {
  author: Author;
  key: NewKeyRecord;
}

/** What the audit log calls the kinds of key. */
export const KEY_TARGETS: Record<KeyKind, string> = {
  event: "event_key",
  signing: "signing_key",
  api: "api_token",
};

/** The stored JSON among these fields as the audit log shows it; what is not set is left out. */
export function shownFields(fields: Partial<KeyRecord>): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const name of ["scopes", "event_filter", "ip_filter", "rate_limit"] as const) {
    if (typeof fields[name] === "string") shown[name] = JSON.parse(fields[name]);
  }
  return shown;
}

/** Living keys of all kinds: all of them are kept in memory. */
export const MAX_KEYS = 2_000;

/**
 * Create an event key, a signing key or an API token. Its hash is stored; of the secret itself nothing comes here.
 * @returns `too_many` when nothing was written
 */
export function* createKey({ author, key }: CreateKeyArgs): Sql<"created" | "too_many"> {
  if (yield* isFull(author.now)) return "too_many";
  yield* insertKey(author, key);
  yield* recordChange(author, {
    action: `${KEY_TARGETS[key.kind]}.created`,
    target: { kind: KEY_TARGETS[key.kind], id: key.id, name: key.name },
    env: key.env,
    before: null,
    after: { name: key.name, hint: key.hint, ...shownFields(key) },
  });
  return "created";
}

/** Whether there are as many living keys as there may be. */
export function* isFull(now: number): Sql<boolean> {
  const living = yield* firstRow<{ count: number }>(
    "SELECT COUNT(*) AS count FROM keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)",
    [now],
  );
  return living!.count >= MAX_KEYS;
}

/** Write a key's row; the caller records the change. */
export function* insertKey(author: Author, key: NewKeyRecord): Sql<void> {
  yield* run(INSERT, [
    key.id,
    key.kind,
    key.env,
    key.name,
    key.hash,
    key.hint,
    key.sealed,
    key.scopes,
    key.event_filter,
    key.ip_filter,
    key.rate_limit,
    author.now,
    author.name,
    key.signs_from,
    key.expires_at ?? null,
  ]);
}

const INSERT = `INSERT INTO keys (id, kind, env, name, hash, hint, sealed, scopes, event_filter, ip_filter, rate_limit,
  created_at, created_by, signs_from, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`;
