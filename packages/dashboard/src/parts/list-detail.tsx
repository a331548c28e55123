import type { ReactNode } from "react";
import { ListEnd } from "./list-end.tsx";
import { MissingPanel } from "./missing-panel.tsx";
import { useOpenRow } from "./open-row.ts";
import { usePageSearch } from "./page-search.ts";
import { ErrorState, SkeletonRows } from "./states.tsx";
import { type Column, Table } from "./table.tsx";

/** A list that is read page by page, as `useInfiniteQuery` has it. */
interface PagedList {
  isPending: boolean;
  isError: boolean;
  isSuccess: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
  error: Error | null;
  fetchNextPage(): unknown;
  refetch(): unknown;
}

interface ListDetailProps<Row> {
  /** What the rows are, for those who listen. */
  label: string;
  /** One, and several. */
  words: [one: string, several: string];
  list: PagedList;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey(row: Row): string;
  /** The part of the address's search that names the open row. */
  param: string;
  /** The row that is open. */
  panel(row: Row, onClose: () => void): ReactNode;
  /** In the place of rows when there are none. */
  empty: ReactNode;
  /** What is counted below the rows, where that is not all of them. */
  count?: number;
  /** Above the list. */
  above?: ReactNode;
  /** Below the last row. */
  below?: ReactNode;
}

/**
 * A list whose rows open beside it, as the address says: it loads, fails, is empty, goes on while it is scrolled, and
 * finds the row that is named wherever it stands.
 */
export function ListDetail<Row>(props: ListDetailProps<Row>) {
  const { label, words, list, rows, columns, rowKey, param, panel, empty, above, below } = props;
  const [search, change] = usePageSearch();
  const { open, missing } = useOpenRow(list, rows, search[param], rowKey);
  return (
    <div className="flex h-full min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">
        {above}
        {list.isPending ? (
          <SkeletonRows rows={4} />
        ) : list.isError && rows.length === 0 ? (
          <ErrorState error={list.error} onRetry={() => list.refetch()} />
        ) : rows.length === 0 && !list.hasNextPage ? (
          empty
        ) : (
          <Table
            label={label}
            rows={rows}
            columns={columns}
            rowKey={rowKey}
            rowLink={(row) => ({
              to: ".",
              search: ((before: object) => ({ ...before, [param]: rowKey(row) })) as never,
            })}
            selected={open && rowKey(open)}
            onEnd={list.hasNextPage && !list.isFetching ? () => list.fetchNextPage() : undefined}
            footer={
              <>
                <ListEnd
                  loading={list.isFetchingNextPage}
                  more={list.hasNextPage}
                  count={props.count ?? rows.length}
                  words={words}
                />
                {below}
              </>
            }
          />
        )}
      </div>
      {missing && <MissingPanel what={words[0]} onClose={() => change({ [param]: undefined })} />}
      {open !== undefined && panel(open, () => change({ [param]: undefined }, "push"))}
    </div>
  );
}
