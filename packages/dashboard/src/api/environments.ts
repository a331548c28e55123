import { queryOptions } from "@tanstack/react-query";
import { ApiError, request } from "./request.ts";
import type { Environment, Page } from "./types.ts";

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
