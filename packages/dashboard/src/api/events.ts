import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { environment } from "../place.ts";
import { request } from "./request.ts";
import type { Event, EventRow, EventStats, One, Page, Run } from "./types.ts";

/** What events are chosen by, as the API takes it. */
export interface EventFilter {
  /** Names separated by commas; a trailing `*` stands for any rest. */
  name?: string | undefined;
  source?: string | undefined;
  id?: string | undefined;
  /** Text in name, ids or data. */
  q?: string | undefined;
  /** `false` leaves out the events in which the service tells how runs ended. */
  lifecycle?: "false" | undefined;
}

/** A time range as it is when a request is made: relative ones move on. */
export type RangeBounds = () => { after: number; before?: number | undefined };

/** Rows of one request. */
const PAGE_ROWS = 100;
/** Pages of a list that are read again by themselves. */
export const PAGES_READ_ANEW = 3;
/** The newest rows, asked for again while their runs go on. */
const FRESH_ROWS = 50;

interface Place {
  cursor: string | undefined;
  /** Where the range began when the first page was read: later pages keep to it. */
  after: number | undefined;
}

/** Events newest first, page by page. @param rangeKey says which range it is, for the cache */
export function eventListQuery(filter: EventFilter, rangeKey: string, bounds: RangeBounds) {
  return infiniteQueryOptions({
    queryKey: ["events", "list", environment(), filter, rangeKey],
    initialPageParam: { cursor: undefined, after: undefined } as Place,
    async queryFn({ pageParam, signal }) {
      const { after, before } = bounds();
      const from = pageParam.after ?? after;
      const askedAt = performance.now();
      const rows = { limit: PAGE_ROWS, cursor: pageParam.cursor, fields: "summary" };
      const query = { ...filter, after: from, before, ...rows };
      return { ...(await request<Page<EventRow>>("v1/events", { query, signal })), after: from, askedAt };
    },
    // The stream tells what is new; read anew page by page, a list that was scrolled far takes a hundred requests.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= PAGES_READ_ANEW,
    getNextPageParam: ({ page, after }): Place | undefined =>
      page.cursor === null ? undefined : { cursor: page.cursor, after },
  });
}

/** The newest events alone. */
export function freshEventsQuery(filter: EventFilter, rangeKey: string, bounds: RangeBounds) {
  return queryOptions({
    queryKey: ["events", "fresh", environment(), filter, rangeKey],
    async queryFn({ signal }) {
      const query = { ...filter, ...bounds(), limit: FRESH_ROWS, fields: "summary" };
      return (await request<Page<EventRow>>("v1/events", { query, signal })).data;
    },
  });
}

/** Events per bucket. Only names narrow it down: the service counts in an index. */
export function eventStatsQuery({ name, lifecycle }: EventFilter, rangeKey: string, bounds: RangeBounds) {
  return queryOptions({
    queryKey: ["events", "stats", environment(), name ?? "", lifecycle ?? "", rangeKey],
    async queryFn({ signal }) {
      const query = { name, lifecycle, ...bounds() };
      return (await request<One<EventStats>>("v1/events/stats", { query, signal })).data;
    },
    placeholderData: (before) => before,
  });
}

/** One event, by its id or the one its sender gave it. */
export function eventQuery(id: string) {
  return queryOptions({
    queryKey: ["events", "one", environment(), id],
    async queryFn({ signal }) {
      return (await request<One<Event>>(`v1/events/${encodeURIComponent(id)}`, { signal })).data;
    },
  });
}

/** The runs an event has started, newest first; the first hundred. */
export function runsOfEventQuery(id: string) {
  return queryOptions({
    queryKey: ["events", "runs", environment(), id],
    async queryFn({ signal }) {
      const path = `v1/events/${encodeURIComponent(id)}/runs`;
      return (await request<Page<Run>>(path, { query: { limit: 100 }, signal })).data;
    },
  });
}

/** Names of stored events that begin with a prefix. */
export function eventNamesQuery(prefix: string) {
  return queryOptions({
    queryKey: ["events", "names", environment(), prefix],
    async queryFn({ signal }) {
      return (await request<One<string[]>>("v1/events/names", { query: { prefix, limit: 50 }, signal })).data;
    },
    placeholderData: (before) => before,
  });
}

/** Send one event or several. @returns their ids */
export async function sendEvents(events: unknown): Promise<string[]> {
  return (await request<One<{ ids: string[] }>>("v1/events", { method: "POST", body: events })).data.ids;
}

/** Send an event again. @returns the id of the new one */
export async function replayEvent(id: string): Promise<string> {
  const path = `v1/events/${encodeURIComponent(id)}/replay`;
  return (await request<One<{ id: string }>>(path, { method: "POST" })).data.id;
}
