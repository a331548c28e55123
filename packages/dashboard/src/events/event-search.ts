/** What the address of the events page says. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { EventFilter } from "../api/events.ts";
import type { RangeSearch } from "../parts/range.ts";

export interface EventSearch extends RangeSearch, Omit<EventFilter, "lifecycle"> {
  /** Kind or name of the source; `all` shows what the service sends of its own accord, too. */
  source?: string | undefined;
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

/** The source that is all of them. */
export const ALL_SOURCES = "all";

/**
 * The part of the search that chooses events. Every run sends an event when it ends; unless they are asked for, lists
 * would be half of these.
 */
export function filterOf({ name, source, id, q }: EventSearch): EventFilter {
  const lifecycle = name || source || id ? undefined : "false";
  return { name, source: source === ALL_SOURCES ? undefined : source, id, q, lifecycle };
}

/** What leaves the filters empty. */
export const CLEARED: EventSearch = { name: undefined, source: undefined, id: undefined, q: undefined };

export function isFiltered({ name, source, id, q }: EventSearch): boolean {
  return Boolean(name || source || id || q);
}
