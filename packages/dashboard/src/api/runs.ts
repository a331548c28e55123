import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { environment } from "../place.ts";
import type { RangeBounds } from "./events.ts";
import { request } from "./request.ts";
import type { One, Page, Run, RunStats, RunStory } from "./types.ts";

export interface RunFilter {
  /** Ids separated by commas. */
  function?: string | undefined;
  app?: string | undefined;
  /** Separated by commas. */
  status?: string | undefined;
}

/** Rows of one request. */
const PAGE_ROWS = 100;
/** The newest rows, asked for again and again while the page follows. */
const FRESH_ROWS = 50;

interface Place {
  cursor: string | undefined;
  /** Where the range began when the first page was read: later pages keep to it. */
  after: number | undefined;
}

/** Runs newest first, page by page. @param rangeKey says which range it is, for the cache */
export function runListQuery(filter: RunFilter, rangeKey: string, bounds: RangeBounds) {
  return infiniteQueryOptions({
    queryKey: ["runs", "list", environment(), filter, rangeKey],
    initialPageParam: { cursor: undefined, after: undefined } as Place,
    async queryFn({ pageParam, signal }) {
      const { after, before } = bounds();
      const from = pageParam.after ?? after;
      const query = { ...filter, after: from, before, limit: PAGE_ROWS, cursor: pageParam.cursor };
      const page = await request<Page<Run>>("v1/runs", { query, signal });
      return { ...page, after: from };
    },
    getNextPageParam: ({ page, after }): Place | undefined =>
      page.cursor === null ? undefined : { cursor: page.cursor, after },
  });
}

/** The newest runs alone. */
export function freshRunsQuery(filter: RunFilter, rangeKey: string, bounds: RangeBounds) {
  return queryOptions({
    queryKey: ["runs", "fresh", environment(), filter, rangeKey],
    queryFn: ({ signal }) =>
      request<Page<Run>>("v1/runs", { query: { ...filter, ...bounds(), limit: FRESH_ROWS }, signal }),
  });
}

/** Runs per bucket and status. */
export function runStatsQuery(
  filter: Pick<RunFilter, "function" | "app">,
  rangeKey: string,
  bounds: RangeBounds,
) {
  return queryOptions({
    queryKey: ["runs", "stats", environment(), filter, rangeKey],
    async queryFn({ signal }) {
      return (await request<One<RunStats>>("v1/runs/stats", { query: { ...filter, ...bounds() }, signal }))
        .data;
    },
    placeholderData: (before) => before,
  });
}

/** The last runs of a function, the first page only. */
export function recentRunsQuery(functionId: string, limit: number) {
  return queryOptions({
    queryKey: ["runs", "recent", environment(), functionId, limit],
    async queryFn({ signal }) {
      return (await request<Page<Run>>("v1/runs", { query: { function: functionId, limit }, signal })).data;
    },
  });
}

/** A run with its steps and attempts. @param onRead told how long it took to read it, ms */
export function runQuery(id: string, onRead: (tookMs: number) => void = () => {}) {
  return queryOptions({
    queryKey: ["runs", "one", environment(), id],
    async queryFn({ signal }) {
      const began = performance.now();
      const { data } = await request<One<RunStory>>(`v1/runs/${encodeURIComponent(id)}`, { signal });
      onRead(performance.now() - began);
      return data;
    },
  });
}

/** Whether a run has yet to end. */
export function isUnfinished({ status }: Pick<Run, "status">): boolean {
  return status === "queued" || status === "running";
}

/** End a run. */
export async function cancelRun(id: string): Promise<void> {
  await request(`v1/runs/${encodeURIComponent(id)}/cancel`, { method: "POST" });
}

/** Which steps a rerun takes over: none unless it says so. */
export interface Kept {
  /** Those that had finished before this step. */
  from_step?: string;
  /** All that completed. */
  keep_completed?: true;
}

/** Run the function again for the same event. @returns the id of the new run */
export async function rerun(id: string, kept: Kept = {}): Promise<string> {
  const path = `v1/runs/${encodeURIComponent(id)}/rerun`;
  return (await request<One<{ id: string }>>(path, { method: "POST", body: kept })).data.id;
}
