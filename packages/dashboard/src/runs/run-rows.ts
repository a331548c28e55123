/** The rows of the runs page: what was listed, and how the newest stand now. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { freshRunsQuery, isUnfinished, type RunFilter, runListQuery } from "../api/runs.ts";
import type { Run } from "../api/types.ts";
import type { Range } from "../parts/range.ts";
import { useSearchOn } from "../parts/search-on.ts";
import { hasGap, mergeRuns } from "./merge-runs.ts";

/** How often the newest rows are read while some of them go on, and while none does, ms. */
const BUSY_MS = 1_500;
const CALM_MS = 2_500;
/** How often the rows below are read while some of them go on, and up to how many pages, ms. */
const OLDER_MS = 15_000;
const MAX_OLDER_PAGES = 3;
const NONE: Run[] = [];

/**
 * @param following whether new runs are looked for
 * @param paused whether those that come are held back
 */
export function useRunRows(filter: RunFilter, range: Range, following: boolean, paused: boolean) {
  const list = useInfiniteQuery({
    ...runListQuery(filter, range.key, range.bounds),
    refetchInterval: (query) => {
      const pages = query.state.data?.pages ?? [];
      if (pages.length > MAX_OLDER_PAGES) return false;
      return pages.some(({ data }) => data.some(isUnfinished)) ? OLDER_MS : false;
    },
  });
  const listed = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? NONE, [list.data]);
  const fresh = useQuery({
    ...freshRunsQuery(filter, range.key, range.bounds),
    enabled: following,
    refetchInterval: (query) => (query.state.data?.data.some(isUnfinished) === false ? CALM_MS : BUSY_MS),
  });
  const freshPage = following ? fresh.data : undefined;
  const rows = useMemo(() => mergeRuns(freshPage, listed), [freshPage, listed]);

  const gap = hasGap(freshPage, listed);
  const { refetch, isFetching } = list;
  useEffect(() => {
    if (gap && !isFetching) void refetch();
  }, [gap, isFetching, refetch]);

  const searching = useSearchOn(list, rows.length);

  const [top, setTop] = useState<string>();
  const [key, setKey] = useState("");
  const nowKey = JSON.stringify([filter, range.key]);
  // Another filter shows its rows at once, whatever was held back before.
  if ((!paused || key !== nowKey) && (rows[0]?.id !== top || key !== nowKey)) {
    setTop(rows[0]?.id);
    setKey(nowKey);
  }
  const shown = top === undefined || !paused ? rows : rows.filter(({ id }) => id <= top);
  return { list, rows: shown, waiting: rows.length - shown.length, searching, fresh };
}
