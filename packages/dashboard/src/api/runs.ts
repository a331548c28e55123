import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { environment } from "../place.ts";
import { request } from "./request.ts";
import type { One, Page, Run, RunStory } from "./types.ts";

export interface RunFilter {
  /** Ids separated by commas. */
  function?: string | undefined;
  app?: string | undefined;
  /** Separated by commas. */
  status?: string | undefined;
  event?: string | undefined;
}

/** Runs newest first, page by page. */
export function runListQuery(filter: RunFilter) {
  return infiniteQueryOptions({
    queryKey: ["runs", "list", environment(), filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      request<Page<Run>>("v1/runs", { query: { ...filter, limit: 100, cursor: pageParam }, signal }),
    getNextPageParam: ({ page }) => page.cursor ?? undefined,
  });
}

/** A run with its steps and attempts. */
export function runQuery(id: string) {
  return queryOptions({
    queryKey: ["runs", "one", environment(), id],
    async queryFn({ signal }) {
      return (await request<One<RunStory>>(`v1/runs/${encodeURIComponent(id)}`, { signal })).data;
    },
  });
}

/** End a run. */
export async function cancelRun(id: string): Promise<void> {
  await request(`v1/runs/${encodeURIComponent(id)}/cancel`, { method: "POST" });
}

/** Run the function again for the same event. @returns the id of the new run */
export async function rerun(id: string): Promise<string> {
  const path = `v1/runs/${encodeURIComponent(id)}/rerun`;
  return (await request<One<{ id: string }>>(path, { method: "POST" })).data.id;
}
