import { infiniteQueryOptions } from "@tanstack/react-query";
import { environment } from "../place.ts";
import { type Query, request } from "./request.ts";
import type { Page } from "./types.ts";

/** Rows of one request. */
const PAGE_ROWS = 100;

interface PagedOptions {
  /** Said once for all environments: the path is about the whole service. */
  account?: boolean;
}

/**
 * A list of the API, page by page.
 * @param name first part of its key in the cache
 * @example useInfiniteQuery(pagedQuery<Fn>("functions", "v1/functions"))
 */
export function pagedQuery<T, P extends Page<T> = Page<T>>(
  name: string,
  path: string,
  query: Query = {},
  { account = false }: PagedOptions = {},
) {
  return infiniteQueryOptions({
    queryKey: [name, "list", account ? "" : environment(), query],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      request<P>(path, { query: { ...query, limit: PAGE_ROWS, cursor: pageParam }, signal }),
    getNextPageParam: ({ page }) => page.cursor ?? undefined,
  });
}
