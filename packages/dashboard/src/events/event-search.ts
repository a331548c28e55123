/** What the address of the events page says. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { EventFilter } from "../api/events.ts";
import type { RangeSearch } from "../parts/range.ts";

export interface EventSearch extends RangeSearch, EventFilter {
  /** `off` when new events are not shown as they come. */
  live?: string | undefined;
}

/** The address's search, and what changes parts of it; a changed filter adds nothing to the history. */
export function useEventSearch(): [EventSearch, (change: EventSearch) => void] {
  const search = useSearch({ strict: false }) as EventSearch;
  const navigate = useNavigate();
  const change = (part: EventSearch) => {
    navigate({
      to: ".",
      search: ((before: EventSearch) => ({ ...before, ...part })) as never,
      replace: true,
    });
  };
  return [search, change];
}

/** The part of the search that chooses events. */
export function filterOf({ name, source, id, q }: EventSearch): EventFilter {
  return { name, source, id, q };
}

/** What leaves the filters empty. */
export const CLEARED: EventSearch = { name: undefined, source: undefined, id: undefined, q: undefined };

export function isFiltered({ name, source, id, q }: EventSearch): boolean {
  return Boolean(name || source || id || q);
}
