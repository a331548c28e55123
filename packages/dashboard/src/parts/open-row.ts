import { useEffect } from "react";

interface PagedList {
  hasNextPage: boolean;
  isFetching: boolean;
  isSuccess: boolean;
  fetchNextPage(): unknown;
}

/** Rows that are read to find the one an address names. */
const MAX_ROWS = 2_500;

/**
 * The row that the address names, wherever in its list it stands: further pages are read until it is there.
 * @returns `missing` once it is known that there is no such row
 */
export function useOpenRow<Row>(
  list: PagedList,
  rows: readonly Row[],
  wanted: string | undefined,
  keyOf: (row: Row) => string,
): { open: Row | undefined; missing: boolean } {
  const open = wanted === undefined ? undefined : rows.find((row) => keyOf(row) === wanted);
  const { hasNextPage, isFetching, isSuccess, fetchNextPage } = list;
  const lacking = wanted !== undefined && open === undefined && isSuccess;
  const more = hasNextPage && rows.length < MAX_ROWS;
  useEffect(() => {
    if (lacking && more && !isFetching) fetchNextPage();
  }, [lacking, more, isFetching, fetchNextPage]);
  return { open, missing: lacking && !more && !isFetching };
}
