/** The rows of the events page: what was read, what has come since, and how its runs stand now. */
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { type EventFilter, eventListQuery, freshEventsQuery, PAGES_READ_ANEW } from "../api/events.ts";
import type { EventRow } from "../api/types.ts";
import type { Range } from "../parts/range.ts";
import { useSearchOn } from "../parts/search-on.ts";
import type { LiveEvents } from "./live-events.ts";
import { hasGap, isUnfinished, mergeEvents } from "./merge-events.ts";

/** How often the newest rows are read while runs of theirs go on, ms. */
const FRESH_MS = 2_000;
/** Rows whose runs are followed. */
const FOLLOWED = 50;
/** Pause before the list is read anew because more came live than is kept, ms. */
const GAP_MS = 1_000;
const NO_EVENTS: EventRow[] = [];

/** The rows for a filter and a range, with what the stream has brought. */
export function useEventRows(filter: EventFilter, range: Range, { shown: live, held }: LiveEvents) {
  const list = useInfiniteQuery(eventListQuery(filter, range.key, range.bounds));
  const listed = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? NO_EVENTS, [list.data]);
  const query = freshEventsQuery(filter, range.key, range.bounds);
  // Whether to read again depends on the rows, and these on what was read: the cache has it before the query below.
  const queryClient = useQueryClient();
  const fresh = queryClient.getQueryData(query.queryKey) ?? NO_EVENTS;
  const rows = useMemo(() => mergeEvents(live, fresh, listed, held), [live, fresh, listed, held]);
  const gap = hasGap(live, listed);
  const { refetch, isFetching } = list;
  useEffect(() => {
    if (!gap || isFetching) return;
    const timer = setTimeout(refetch, GAP_MS);
    return () => clearTimeout(timer);
  }, [gap, isFetching, refetch]);
  const unfinished = rows.slice(0, FOLLOWED).some(isUnfinished);
  useQuery({
    ...query,
    enabled: unfinished,
    refetchInterval: unfinished ? FRESH_MS : false,
    // A copy from before would hide how the runs stand.
    staleTime: 0,
  });
  const searching = useSearchOn(list, rows.length);
  useShortMemory(queryClient);
  return { list, rows, searching };
}

/** What was scrolled to is forgotten with the page: whoever comes back begins at the top, and reads one page or a few. */
function useShortMemory(queryClient: QueryClient): void {
  useEffect(
    () => () => {
      queryClient.setQueriesData<InfiniteData<unknown>>({ queryKey: ["events", "list"] }, (list) =>
        list === undefined
          ? list
          : {
              pages: list.pages.slice(0, PAGES_READ_ANEW),
              pageParams: list.pageParams.slice(0, PAGES_READ_ANEW),
            },
      );
    },
    [queryClient],
  );
}
