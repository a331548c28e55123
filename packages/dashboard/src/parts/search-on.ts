/** Lists whose filter lets little through: the API looks at a bounded part of them for each page, which may be empty. */
import { useEffect } from "react";

/** Pages that are looked through without asking; behind them the reader says whether to go on. */
const MAX_SEARCHED_PAGES = 10;
/** Rows that fill a screen. */
const ENOUGH = 30;

export interface PagedList {
  data?: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  fetchNextPage(): unknown;
}

/**
 * Reads on while a list has few rows and more may come.
 * @returns whether it is still looking by itself
 */
export function useSearchOn(list: PagedList, rows: number): boolean {
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const pages = list.data?.pages.length ?? 0;
  const searching = hasNextPage && pages > 0 && rows < ENOUGH && pages < MAX_SEARCHED_PAGES;
  useEffect(() => {
    if (searching && !isFetching) void fetchNextPage();
  }, [searching, isFetching, fetchNextPage]);
  return searching;
}
