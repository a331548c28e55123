/** The rows of the inbox: what was read page by page, and the newest ones as they are now. */
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import {
  freshRequestsQuery,
  refreshInbox,
  requestListQuery,
  type WebhookRequest,
} from "../api/webhook-requests.ts";
import { FRESH_ROWS, leavesGap, mergeRequests } from "./merge-requests.ts";

/** How often the newest rows are read, ms. */
const FRESH_MS = 2_500;

const NONE: WebhookRequest[] = [];

/** @param status outcomes separated by commas; empty for all */
export function useRequestRows(webhookId: string, status: string, live: boolean) {
  const list = useInfiniteQuery(requestListQuery(webhookId, status));
  const fresh = useQuery({
    ...freshRequestsQuery(webhookId, status, FRESH_ROWS),
    enabled: live && list.data !== undefined,
    refetchInterval: FRESH_MS,
  });
  const listed = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? NONE, [list.data]);
  const newest = fresh.data ?? NONE;
  const gap = leavesGap(newest, listed);
  const queries = useQueryClient();
  useEffect(() => {
    if (gap) void refreshInbox(queries);
  }, [gap, queries]);
  const rows = useMemo(() => mergeRequests(gap ? NONE : newest, listed), [newest, listed, gap]);
  return { list, rows, connected: !fresh.isError };
}
