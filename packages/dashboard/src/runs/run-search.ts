/** What the address of the runs page says. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { RunFilter } from "../api/runs.ts";
import type { RangeSearch } from "../parts/range.ts";

export interface RunSearch extends RangeSearch, RunFilter {
  /** `off` when new runs are not shown as they come. */
  live?: string | undefined;
  /** Of an open run: id of the step whose details are shown. */
  step?: string | undefined;
  /** Of an open run: the least level of the log lines that are shown. */
  level?: string | undefined;
  /** `full` when an open run has the whole page. */
  view?: string | undefined;
}

/** The address's search, and what changes parts of it; a changed filter adds nothing to the history. */
export function useRunSearch(): [RunSearch, (change: RunSearch) => void] {
  const search = useSearch({ strict: false }) as RunSearch;
  const navigate = useNavigate();
  const change = (part: RunSearch) => {
    navigate({ to: ".", search: ((before: RunSearch) => ({ ...before, ...part })) as never, replace: true });
  };
  return [search, change];
}

export function isFiltered({ function: fn, app, status }: RunSearch): boolean {
  return Boolean(fn || app || status);
}

/** What leaves the filters empty. */
export const CLEARED: RunSearch = { function: undefined, app: undefined, status: undefined };
