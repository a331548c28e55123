import { queryOptions } from "@tanstack/react-query";
import { pagedQuery } from "./paged.ts";
import { ApiError, request } from "./request.ts";
import type { Environment, One, Page } from "./types.ts";

/** The environments of the service; none where the API does not tell. */
export function environmentsQuery() {
  return queryOptions({
    queryKey: ["environments"],
    staleTime: 60_000,
    async queryFn({ signal }) {
      try {
        return (await request<Page<Environment>>("v1/environments", { signal, query: { limit: 200 } })).data;
      } catch (error) {
        if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return [];
        throw error;
      }
    },
  });
}

/** All that the API tells of an environment. */
export interface EnvironmentDetail extends Environment {
  type: "production" | "branches" | "branch" | "named" | "development";
  created_at: string;
  created_by: string | null;
  /** When a key was last used in it, to the minute. */
  last_active_at: string | null;
  auto_archive: boolean;
  /** Null: the service's setting. */
  max_request_bytes: number | null;
}

/** Environments, page by page, production first; those in use, or those in the archive. */
export function environmentListQuery(archived: boolean) {
  return pagedQuery<EnvironmentDetail>(
    "environments",
    "v1/environments",
    { archived: String(archived) },
    { account: true },
  );
}

/** @throws ApiError `conflict` when the name is taken */
export async function createEnvironment(body: {
  name: string;
  type: "branch" | "named";
}): Promise<EnvironmentDetail> {
  return (await request<One<EnvironmentDetail>>("v1/environments", { method: "POST", body })).data;
}

export async function updateEnvironment(
  id: string,
  body: { auto_archive?: boolean; max_request_bytes?: number | null },
): Promise<EnvironmentDetail> {
  return (await request<One<EnvironmentDetail>>(`v1/environments/${id}`, { method: "PATCH", body })).data;
}

/** Archive an environment, or take it back. */
export async function archiveEnvironment(id: string, archived: boolean): Promise<void> {
  await request(`v1/environments/${id}/${archived ? "archive" : "unarchive"}`, { method: "POST" });
}
