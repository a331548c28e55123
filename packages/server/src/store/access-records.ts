/** What the store holds of environments, keys and people. Times are ms since the epoch. */
import type { Permission, Role } from "../access/actor.ts";

/**
 * `branches` is the parent that all branch environments share: their keys and webhooks belong to it, and no event ever
 * lies in it.
 */
export type EnvironmentType = "production" | "branches" | "branch" | "named" | "development";

export interface EnvironmentRecord {
  /** What the rows of every other table carry as `env`. */
  id: string;
  /** What people and `x-svc-env` call it. */
  name: string;
  type: EnvironmentType;
  created_at: number;
  created_by: string | null;
  archived_at: number | null;
  last_active_at: number | null;
  /** 1 when it is archived by itself after a time without use. */
  auto_archive: 0 | 1;
  /** Largest body of a request that sends events; null: the service's setting. */
  max_request_bytes: number | null;
}

export type KeyKind = "event" | "signing" | "api";

export interface KeyRecord {
  id: string;
  kind: KeyKind;
  /** Its environment; null for an API token of all of them. */
  env: string | null;
  name: string;
  hash: string;
  /** Prefix and last characters, by which people tell keys apart. */
  hint: string;
  /** Signing keys only: the key itself, encrypted, because it is needed to sign. */
  sealed: string | null;
  /** API tokens only: JSON array. */
  scopes: string | null;
  /** JSON of `{allow, deny}`. */
  event_filter: string | null;
  ip_filter: string | null;
  /** JSON of `{requests, per}`. */
  rate_limit: string | null;
  created_at: number;
  created_by: string | null;
  last_used_at: number | null;
  /** Signing keys: since when calls are signed with it; null while it is only accepted. */
  signs_from: number | null;
  /** End of the grace time of a key that was rotated. */
  expires_at: number | null;
  revoked_at: number | null;
}

/** What an API token may be limited to. */
export type Scope = Extract<Permission, "read" | "send" | "manage">;

export interface UserRecord {
  id: string;
  /** Lower case. */
  email: string;
  name: string;
  role: Role;
  password_hash: string;
  created_at: number;
  last_seen_at: number | null;
}

export interface SessionRecord {
  /** Public; the secret is the token, of which only the hash is kept. */
  id: string;
  user_id: string;
  token_hash: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  address: string | null;
  user_agent: string | null;
}

/** A link that lets somebody in once: a new person, or one who forgot the password. */
export interface InvitationRecord {
  id: string;
  token_hash: string;
  /** Whom it is for; null: whoever has the link. */
  email: string | null;
  role: Role;
  created_at: number;
  created_by: string | null;
  expires_at: number;
  accepted_at: number | null;
  revoked_at: number | null;
  /** Whose password it resets; null: it is for somebody new. */
  user_id: string | null;
  /** Id of the user who made it; null: a token did. */
  created_by_id: string | null;
}

/** One change: who, what, to what, and how it looked before and after. Secrets never come here. */
export interface AuditRecord {
  id: string;
  at: number;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string;
  address: string | null;
  /** e.g. `webhook.updated` */
  action: string;
  target_kind: string;
  target_id: string;
  target_name: string | null;
  env: string | null;
  before: string | null;
  after: string | null;
}
