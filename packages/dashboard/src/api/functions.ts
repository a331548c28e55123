import { queryOptions } from "@tanstack/react-query";
import { environment } from "../place.ts";
import type { RangeBounds } from "./events.ts";
import { request } from "./request.ts";
import type { App, AppAddress, Fn, FunctionActivity, FunctionStats, One, Page } from "./types.ts";

/** The functions of the environment, by id; the first 200. */
export function functionsQuery() {
  return queryOptions({
    queryKey: ["functions", environment()],
    async queryFn({ signal }) {
      return (await request<Page<Fn>>("v1/functions", { query: { limit: 200 }, signal })).data;
    },
  });
}

/** One function with its configuration. */
export function functionQuery(id: string) {
  return queryOptions({
    queryKey: ["functions", environment(), id],
    async queryFn({ signal }) {
      const path = `v1/functions/${encodeURIComponent(id)}`;
      return (await request<One<Fn & { config: Record<string, unknown> }>>(path, { signal })).data;
    },
  });
}

/** Pages of 200 that are read of the functions of one environment. */
const MAX_PAGES = 25;

/** All functions of the environment, by id; the first 5,000. */
export function allFunctionsQuery() {
  return queryOptions({
    queryKey: ["functions", environment(), "all"],
    async queryFn({ signal }) {
      const functions: Fn[] = [];
      let cursor: string | null | undefined;
      for (let pages = 0; pages < MAX_PAGES && cursor !== null; pages++) {
        const query = { limit: 200, cursor };
        const answer: Page<Fn> = await request<Page<Fn>>("v1/functions", { query, signal });
        functions.push(...answer.data);
        cursor = answer.page.cursor;
      }
      return functions;
    },
  });
}

/** How many runs each function had in the last day, by hour. */
export function functionActivityQuery(now: () => number = Date.now) {
  return queryOptions({
    queryKey: ["functions", environment(), "activity"],
    async queryFn({ signal }) {
      const query = { after: now() - 24 * 3_600_000, bucket: "1h" };
      return (await request<One<FunctionActivity>>("v1/functions/stats", { query, signal })).data;
    },
  });
}

/** What became of the runs of a function, and how long they took. */
export function functionStatsQuery(id: string, rangeKey: string, bounds: RangeBounds) {
  return queryOptions({
    queryKey: ["functions", environment(), id, "stats", rangeKey],
    async queryFn({ signal }) {
      const path = `v1/functions/${encodeURIComponent(id)}/stats`;
      return (await request<One<FunctionStats>>(path, { query: bounds(), signal })).data;
    },
    placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
  });
}

/** Pause a function, or resume it. */
export async function pauseFunction(id: string, paused: boolean): Promise<Fn> {
  const path = `v1/functions/${encodeURIComponent(id)}/${paused ? "pause" : "resume"}`;
  return (await request<One<Fn>>(path, { method: "POST" })).data;
}

/** Run a function, whatever its triggers. @returns the id of the run */
export async function invokeFunction(id: string, data: Record<string, unknown>): Promise<string> {
  const path = `v1/functions/${encodeURIComponent(id)}/invoke`;
  return (await request<One<{ run_id: string }>>(path, { method: "POST", body: { data } })).data.run_id;
}

/** The apps of the environment, and the addresses where apps are or should be. */
export function appsQuery() {
  return queryOptions({
    queryKey: ["apps", environment()],
    queryFn: ({ signal }) =>
      request<Page<App> & { addresses: AppAddress[] }>("v1/apps", { query: { limit: 200 }, signal }),
  });
}

/** Ask the app at an address to sync. */
export async function syncApp(url: string): Promise<App & { modified: boolean }> {
  return (await request<One<App & { modified: boolean }>>("v1/apps", { method: "POST", body: { url } })).data;
}
