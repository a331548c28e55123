/** Event keys, signing keys and API tokens. Their secrets are seen once, in the answer that creates them. */
import { pagedQuery } from "./paged.ts";
import { request } from "./request.ts";
import type { One } from "./types.ts";

export const KEY_KINDS = ["event", "signing", "api"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export const SCOPES = ["read", "send", "manage"] as const;
export type Scope = (typeof SCOPES)[number];

export interface AllowDeny {
  allow: string[];
  deny: string[];
}

export interface RateLimit {
  requests: number;
  per: "second" | "minute" | "hour";
}

/** What a key lets in; null lets everything in. */
export interface KeyLimits {
  event_filter: AllowDeny | null;
  ip_filter: AllowDeny | null;
  rate_limit: RateLimit | null;
}

/** A key of any kind; each kind has its own fields beside the common ones. */
export interface Key extends Partial<KeyLimits> {
  id: string;
  name: string;
  /** Prefix and last characters. */
  hint: string;
  environment: string | null;
  created_at: string | null;
  created_by: string | null;
  last_used_at: string | null;
  /** When it is over. */
  expires_at: string | null;
  /** Keys of the configuration cannot be changed here. */
  source: "configuration" | "stored";
  /** Signing keys: whether calls are signed with it. */
  signing?: boolean;
  /** API tokens. */
  scopes?: Scope[];
}

export interface CreatedKey extends Key {
  secret: string;
}

export interface NewKey extends Partial<KeyLimits> {
  name: string;
  scopes?: Scope[];
  environment?: string | null;
  expires_in?: string | null;
}

const PATHS: Record<KeyKind, string> = {
  event: "v1/event-keys",
  signing: "v1/signing-keys",
  api: "v1/api-tokens",
};

/** The living keys of a kind: of the environment, or all API tokens. */
export function keyListQuery(kind: KeyKind) {
  return pagedQuery<Key>(`${kind}-keys`, PATHS[kind], {}, { account: kind === "api" });
}

export async function createKey(kind: KeyKind, key: NewKey): Promise<CreatedKey> {
  return (await request<One<CreatedKey>>(PATHS[kind], { method: "POST", body: key })).data;
}

/** Change the name, or what an event key lets in; what is not given stays. */
export async function updateKey(kind: KeyKind, id: string, change: Partial<NewKey>): Promise<Key> {
  return (await request<One<Key>>(`${PATHS[kind]}/${id}`, { method: "PATCH", body: change })).data;
}

/** Put a new key in the place of another, which is over after `grace`, such as `24h`. */
export async function rotateKey(kind: KeyKind, id: string, grace: string): Promise<CreatedKey> {
  const path = `${PATHS[kind]}/${id}/rotate`;
  return (await request<One<CreatedKey>>(path, { method: "POST", body: { grace } })).data;
}

export async function revokeKey(kind: KeyKind, id: string): Promise<void> {
  await request(`${PATHS[kind]}/${id}`, { method: "DELETE" });
}

/** Sign calls with a signing key from now on. */
export async function activateKey(id: string): Promise<Key> {
  return (await request<One<Key>>(`v1/signing-keys/${id}/activate`, { method: "POST" })).data;
}
