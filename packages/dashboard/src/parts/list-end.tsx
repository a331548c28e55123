import { Skeleton } from "./states.tsx";

interface ListEndProps {
  loading: boolean;
  more: boolean;
  count: number;
  /** What the rows are: one, and several. */
  words: [one: string, several: string];
  /** The list is of a range of time: there may be others outside it. */
  ranged?: boolean;
}

/** Below the last row: that more comes, or that this is all. */
export function ListEnd({ loading, more, count, words: [one, several], ranged = false }: ListEndProps) {
  if (loading) {
    return (
      <div role="status" aria-label="Loading more" className="flex h-9 items-center px-4">
        <Skeleton className="w-40" />
      </div>
    );
  }
  return more ? null : (
    <p className="tabular px-4 py-3 text-xs text-muted">
      {count.toLocaleString()} {count === 1 ? one : several}
      {ranged && "; that is all in this range."}
    </p>
  );
}
