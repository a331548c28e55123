/** What the service runs with, and who changed what. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { RangeBounds } from "./events.ts";
import { request } from "./request.ts";
import type { One, Page } from "./types.ts";

export interface Setting {
  name: string;
  group: string;
  flag: string;
  variable: string;
  /** Null when there is none. */
  value: string | null;
  default: string;
  changed: boolean;
  meaning: string;
}

export function settingsQuery() {
  return queryOptions({
    queryKey: ["settings"],
    // They change with a start of the service only.
    staleTime: 300_000,
    queryFn: async ({ signal }) =>
      (await request<One<{ mode: string; version: string; settings: Setting[] }>>("v1/settings", { signal }))
        .data,
  });
}

export interface AuditEntry {
  id: string;
  at: string;
  actor: { kind: string; id: string | null; name: string };
  address: string | null;
  action: string;
  target: { kind: string; id: string; name: string | null };
  environment: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface AuditFilter {
  /** Id or name. */
  actor?: string | undefined;
  /** `user.updated`, or `user.*`. */
  action?: string | undefined;
  /** Id of what it was done to. */
  target?: string | undefined;
}

const PAGE_ROWS = 100;

/** Who changed what, newest first, page by page. @param rangeKey says which range it is, for the cache */
export function auditLogQuery(filter: AuditFilter, rangeKey: string, bounds: RangeBounds) {
  return infiniteQueryOptions({
    queryKey: ["audit-log", filter, rangeKey],
    initialPageParam: undefined as { cursor: string; after: number } | undefined,
    async queryFn({ pageParam, signal }) {
      const { after, before } = bounds();
      // Later pages keep to where the range began when the first was read.
      const from = pageParam?.after ?? after;
      const query = { ...filter, after: from, before, limit: PAGE_ROWS, cursor: pageParam?.cursor };
      return { ...(await request<Page<AuditEntry>>("v1/audit-log", { query, signal })), after: from };
    },
    getNextPageParam: ({ page, after }) =>
      page.cursor === null ? undefined : { cursor: page.cursor, after },
  });
}
