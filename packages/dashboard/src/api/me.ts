/** Who looks at the dashboard, and what they may do. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { mode } from "../place.ts";
import { request } from "./request.ts";
import type { One } from "./types.ts";

const PERMISSIONS = ["read", "send", "manage", "administer"] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ["owner", "admin", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

export interface User {
  id: string;
  email: string;
  name: string;
  role: Role;
  created_at: string;
  last_seen_at: string | null;
}

export interface Me {
  kind: "user" | "token" | "development";
  name: string;
  /** Null when it is a token, or `svc dev`. */
  user: User | null;
  permissions: Permission[];
  /** The one environment the token is for; null: all. */
  environment: string | null;
}

export function meQuery() {
  return queryOptions({
    queryKey: ["me"],
    staleTime: 60_000,
    queryFn: async ({ signal }) => (await request<One<Me>>("v1/me", { signal })).data,
  });
}

/** Who looks; undefined until that is known. */
export function useMe(): Me | undefined {
  return useQuery(meQuery()).data;
}

/** Whether whoever looks may do something; false until that is known. In `svc dev` everybody may do everything. */
export function useMay(permission: Permission): boolean {
  const me = useMe();
  return mode === "dev" || me?.permissions.includes(permission) === true;
}

/** Whether they may make, change and remove owners. */
export function useMayActOnOwners(): boolean {
  const me = useMe();
  // The token of the configuration may; the API says no where a stored one may not.
  return me?.user?.role === "owner" || (me?.kind === "token" && me.permissions.includes("administer"));
}

/** Change one's own name or password. A new password ends all other sessions. */
export async function updateMe(change: {
  name?: string;
  password?: string;
  current_password?: string;
}): Promise<Me> {
  return (await request<One<Me>>("v1/me", { method: "PATCH", body: change })).data;
}

/** Why a control is not to be used, in words for its tooltip. */
export const WHY_NOT: Record<Exclude<Permission, "read">, string> = {
  send: "Your role does not allow to send events.",
  manage: "Your role does not allow to change this.",
  administer: "Only administrators and owners may do this.",
};

/**
 * Whether they may do something that is about the whole service: environments, people, tokens. A token of one environment
 * may not.
 */
export function useMayForService(permission: Permission): boolean {
  const may = useMay(permission);
  const me = useMe();
  return may && me?.environment == null;
}
