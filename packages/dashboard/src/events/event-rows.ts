/** The rows of the events page: what was read, what has come since, and how its runs stand now. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type EventFilter, eventListQuery, freshEventsQuery } from "../api/events.ts";
import type { Event } from "../api/types.ts";
import type { Range } from "../parts/range.ts";
import { isUnfinished, mergeEvents } from "./merge-events.ts";

/** How often the newest rows are read while runs of theirs go on, ms. */
const FRESH_MS = 2_000;
/** Rows whose runs are followed. */
const FOLLOWED = 50;
const NO_EVENTS: Event[] = [];

/** @param live events of the stream that are to be shown, newest first */
export function useEventRows(filter: EventFilter, range: Range, live: readonly Event[]) {
  const list = useInfiniteQuery(eventListQuery(filter, range.key, range.bounds));
  const listed = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? NO_EVENTS, [list.data]);
  const fresh = useQuery({
    ...freshEventsQuery(filter, range.key, range.bounds),
    enabled: [...live.slice(0, FOLLOWED), ...listed.slice(0, FOLLOWED)].some(isUnfinished),
    refetchInterval: (query) => (query.state.data?.some(isUnfinished) === false ? false : FRESH_MS),
    // The stream tells of new events; a copy from before would hide how their runs stand.
    staleTime: 0,
  });
  const rows = useMemo(() => mergeEvents(live, fresh.data ?? NO_EVENTS, listed), [live, fresh.data, listed]);
  return { list, rows };
}
