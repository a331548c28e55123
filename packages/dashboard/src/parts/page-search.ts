import { useNavigate, useSearch } from "@tanstack/react-router";

/** Parts of the address's query string; undefined takes one out. */
export type PageSearch = Record<string, string | undefined>;

/**
 * What the address says about the page, and what changes parts of it. A thing that is opened can be gone back from; a
 * filter that is changed adds nothing to the history.
 * @example const [search, change] = usePageSearch(); change({ tab: "signing" }); change({ key: id }, "push")
 */
export function usePageSearch(): [PageSearch, (part: PageSearch, how?: "push" | "replace") => void] {
  const search = useSearch({ strict: false }) as PageSearch;
  const navigate = useNavigate();
  const change = (part: PageSearch, how: "push" | "replace" = "replace") => {
    navigate({
      to: ".",
      search: ((before: PageSearch) => ({ ...before, ...part })) as never,
      replace: how === "replace",
    });
  };
  return [search, change];
}
