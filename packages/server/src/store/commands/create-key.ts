import type { KeyRecord } from "../access-records.ts";
import { run, type Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface CreateKeyArgs {
  author: Author;
  key: Omit<KeyRecord, "created_at" | "created_by" | "last_used_at" | "expires_at" | "revoked_at">;
}

/** Create an event key, a signing key or an API token. Its hash is stored; of the secret itself nothing comes here. */
export function* createKey({ author, key }: CreateKeyArgs): Sql<void> {
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
  ]);
  yield* recordChange(author, {
    action: `${key.kind}_key.created`,
    target: { kind: `${key.kind}_key`, id: key.id, name: key.name },
    env: key.env,
    before: null,
    after: { name: key.name, hint: key.hint },
  });
}

const INSERT = `INSERT INTO keys (id, kind, env, name, hash, hint, sealed, scopes, event_filter, ip_filter, rate_limit,
  created_at, created_by, signs_from) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;
