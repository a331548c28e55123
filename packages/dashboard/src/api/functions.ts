import { queryOptions } from "@tanstack/react-query";
import { environment } from "../place.ts";
import { request } from "./request.ts";
import type { App, AppAddress, Fn, One, Page } from "./types.ts";

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
