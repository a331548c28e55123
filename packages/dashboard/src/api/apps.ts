/** Apps: where they are, what their last sync did, and making them sync. */
import { pagedQuery } from "./paged.ts";
import { request } from "./request.ts";
import type { App, AppAddress, One, Page } from "./types.ts";

/** What the last sync that changed anything changed: ids of functions, the first 50 of each kind. */
export interface AppChange {
  at: string;
  added: string[];
  changed: string[];
  removed: string[];
  counts: { added: number; changed: number; removed: number };
}

export interface ListedApp extends App {
  last_change: AppChange | null;
}

export interface AppPage extends Page<ListedApp> {
  addresses: AppAddress[];
  /** Where `svc dev` looks for apps; null when it does not look. */
  scan: { ports: number[]; paths: string[]; interval_ms: number } | null;
}

/** The apps of the environment, and where apps are, were or should be. */
export function appListQuery() {
  return pagedQuery<ListedApp, AppPage>("apps", "v1/apps");
}

/** Ask the app at an address to sync. @throws ApiError `sync_failed` with a sentence */
export async function syncAppAt(url: string): Promise<ListedApp & { modified: boolean }> {
  return (await request<One<ListedApp & { modified: boolean }>>("v1/apps", { method: "POST", body: { url } }))
    .data;
}

/** Archive an app and its functions; their queued runs are cancelled. */
export async function archiveApp(id: string): Promise<void> {
  await request(`v1/apps/${encodeURIComponent(id)}`, { method: "DELETE" });
}
