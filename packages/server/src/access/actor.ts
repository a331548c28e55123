/** Who is at the other end of a request to the API, and what they may do. */

/**
 * `read` looks, `send` sets events and runs going, `manage` changes webhooks, functions, apps and branches, `administer`
 * changes who may do all that: keys, tokens, people, environments, limits.
 */
export const PERMISSIONS = ["read", "send", "manage", "administer"] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ["owner", "admin", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** What each role may do. Only owners make, change and remove owners: see `api/users.ts`. */
export const ROLE_PERMISSIONS: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(PERMISSIONS),
  admin: new Set(PERMISSIONS),
  member: new Set(["read", "send", "manage"]),
  viewer: new Set(["read"]),
};

export interface Actor {
  kind: "user" | "token" | "app" | "development" | "anybody";
  /** Of the user or token; null where there is none. */
  id: string | null;
  /** As the audit log shows it. */
  name: string;
  /** Users only. */
  role: Role | null;
  permissions: ReadonlySet<Permission>;
  /** The one environment its credentials are for; null: all. */
  env: string | null;
  /** Users only: the session the request came with. */
  sessionId: string | null;
}

const NOTHING: ReadonlySet<Permission> = new Set();

/** Whoever calls an open route. */
export const ANYBODY: Actor = Object.freeze({
  kind: "anybody",
  id: null,
  name: "anybody",
  role: null,
  permissions: NOTHING,
  env: null,
  sessionId: null,
});

/** In `svc dev` everybody on this machine is the developer. */
export const DEVELOPER: Actor = Object.freeze({
  kind: "development",
  id: null,
  name: "developer",
  role: null,
  permissions: new Set(PERMISSIONS),
  env: null,
  sessionId: null,
});

/**
 * Whether an actor may do what only owners may: make, change and remove owners. The token of the configuration may, because
 * whoever writes the configuration has everything anyway, and there must be a way back in.
 */
export function mayActOnOwners({ kind, role, id, permissions }: Actor): boolean {
  return role === "owner" || (kind === "token" && id === null && permissions.has("administer"));
}

/** An app that has shown the hash of a signing key. */
export function appActor(keyName: string, env: string): Actor {
  return { ...ANYBODY, kind: "app", name: keyName, env };
}
