/** Who looks at the dashboard, and what they may do. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { request } from "./request.ts";
import type { One } from "./types.ts";

export type Permission = "read" | "send" | "manage" | "administer";

export interface Me {
  kind: "user" | "token" | "development";
  name: string | null;
  user: { id: string; email: string; name: string; role: string } | null;
  permissions: Permission[];
  /** The only environment a token is for; null for all. */
  environment: string | null;
}

/** Whoever the credentials of this browser belong to. */
export function meQuery() {
  return queryOptions({
    queryKey: ["me"],
    staleTime: 60_000,
    async queryFn({ signal }) {
      return (await request<One<Me>>("v1/me", { signal })).data;
    },
  });
}

/**
 * Whether the reader may do something; undefined while that is not known.
 * @example const mayManage = useMay("manage") === true
 */
export function useMay(permission: Permission): boolean | undefined {
  return useQuery({ ...meQuery(), select: (me) => me.permissions.includes(permission) }).data;
}

/** Why a control is disabled, in words for its tooltip. */
export const WHY_NOT: Record<Exclude<Permission, "read">, string> = {
  send: "Your role does not allow to send events.",
  manage: "Your role does not allow to change this.",
  administer: "Only administrators and owners may do this.",
};
