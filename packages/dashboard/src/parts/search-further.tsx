import { Button } from "./button.tsx";
import type { PagedList } from "./search-on.ts";
import { EmptyState } from "./states.tsx";

interface SearchFurtherProps {
  /** What is listed: `events`. */
  noun: string;
  list: PagedList;
}

/** Nothing fitted in the newest part of a very long range: the reader decides how far back is looked. */
export function SearchFurther({ noun, list }: SearchFurtherProps) {
  return (
    <EmptyState
      title="Nothing fits so far"
      action={
        <Button disabled={list.isFetching} onClick={() => list.fetchNextPage()}>
          {list.isFetching ? "Searching …" : "Search further back"}
        </Button>
      }
    >
      The newest {noun} of this range were looked through. Narrower filters or a shorter range find old ones
      sooner.
    </EmptyState>
  );
}
