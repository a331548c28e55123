import { type ReactNode, useState } from "react";
import { ListEnd } from "./list-end.tsx";
import { WaitingRows } from "./live-list.tsx";
import { SearchFurther } from "./search-further.tsx";
import type { PagedList } from "./search-on.ts";
import { ErrorState, SkeletonRows } from "./states.tsx";
import { type Column, Table, type TableProps } from "./table.tsx";

/** Whether the reader looks at rows that must not move under their eyes. */
export interface Attention {
  /** The pointer is on the list, or it is scrolled. */
  looking: boolean;
  /** The reader has asked for what was held back, and has not looked elsewhere since. */
  released: boolean;
  /** Changes when the list is to begin at its top again. */
  turn: number;
  onHover(hovering: boolean): void;
  onTop(atTop: boolean): void;
  /** Show what was held back, from the top. */
  release(): void;
}

export function useAttention(): Attention {
  const [atTop, setAtTop] = useState(true);
  const [hovering, setHovering] = useState(false);
  const [released, setReleased] = useState(false);
  const [turn, setTurn] = useState(0);
  return {
    looking: hovering || !atTop,
    released,
    turn,
    onHover(isHovering) {
      setHovering(isHovering);
      if (!isHovering) setReleased(false);
    },
    onTop(isAtTop) {
      setAtTop(isAtTop);
      if (!isAtTop) setReleased(false);
    },
    release() {
      setReleased(true);
      setAtTop(true);
      setTurn((count) => count + 1);
    },
  };
}

interface LiveTableProps<Row>
  extends Pick<TableProps<Row>, "rows" | "rowKey" | "rowLink" | "selected" | "isNew"> {
  /** Names the table and, with its verb, the part of the page: `Events` in `Received events`. */
  label: string;
  region: string;
  /** What the rows are: one, and several. */
  words: [one: string, several: string];
  columns: readonly Column<Row>[];
  list: PagedList & {
    isPending: boolean;
    isError: boolean;
    error: unknown;
    refetch(): unknown;
    isFetchingNextPage: boolean;
  };
  /** Pages without a row are being passed over. */
  searching: boolean;
  /** What stands there when there is no row at all. */
  empty: ReactNode;
  attention: Attention;
  /** Rows that are held back. */
  waiting: number;
  onRelease(): void;
}

/** A long list that follows the present: its rows, or why there are none yet. */
export function LiveTable<Row>(props: LiveTableProps<Row>) {
  const { label, region, words, rows, list, searching, empty, attention, waiting, onRelease, ...table } =
    props;
  if (list.isPending || (rows.length === 0 && searching)) return <SkeletonRows rows={14} />;
  if (list.isError && rows.length === 0) {
    return <ErrorState error={list.error} onRetry={() => list.refetch()} />;
  }
  if (rows.length === 0) return list.hasNextPage ? <SearchFurther noun={words[1]} list={list} /> : empty;
  return (
    <section
      aria-label={region}
      className="flex min-h-0 flex-1 flex-col"
      onMouseEnter={() => attention.onHover(true)}
      onMouseLeave={() => attention.onHover(false)}
    >
      <Table
        {...table}
        key={attention.turn}
        label={label}
        rows={rows}
        onTop={attention.onTop}
        onEnd={list.hasNextPage && !list.isFetching ? () => list.fetchNextPage() : undefined}
        overlay={<WaitingRows count={waiting} onShow={onRelease} />}
        footer={
          <ListEnd
            loading={list.isFetchingNextPage}
            more={list.hasNextPage}
            count={rows.length}
            words={words}
            ranged
          />
        }
      />
    </section>
  );
}
