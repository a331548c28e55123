import { Link, type LinkProps } from "@tanstack/react-router";
import { type CSSProperties, memo, type ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface Column<Row> {
  id: string;
  header: ReactNode;
  /** A track of a CSS grid: `96px`, `minmax(120px, 1fr)`. */
  width: string;
  /** Shown only when the table is at least this wide, px. */
  from?: number;
  align?: "right";
  /** The cell that is the row's link: one column has it. */
  link?: true;
  cell(row: Row): ReactNode;
}

interface TableRowProps<Row> {
  row: Row;
  rowKey: string;
  /** From 0. */
  index: number;
  /** px from the top of the list. */
  top: number;
  columns: readonly Column<Row>[];
  /** The tracks of its grid. */
  template: CSSProperties;
  rowLink(row: Row): LinkProps;
  /** Undefined when no row is open. */
  selected: boolean | undefined;
  isNew: boolean;
}

/** Classes of a cell, in the head and in rows. */
export function cellClasses<Row>(column: Column<Row>): string {
  return classNames("min-w-0 truncate", column.align === "right" && "tabular text-right");
}

function TableRowContent<Row>(props: TableRowProps<Row>) {
  const { row, rowKey, index, top, columns, template, rowLink, selected, isNew } = props;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-key={rowKey}
      style={{ ...template, transform: `translateY(${top}px)` }}
      className={classNames(
        "absolute inset-x-0 top-0 grid h-9 items-center gap-3 border-b px-4 [contain:layout_style] hover:bg-hover has-[[data-row-link]:focus-visible]:bg-hover",
        selected === true && "bg-accent-soft hover:bg-accent-soft",
      )}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          role="cell"
          className={classNames(cellClasses(column), isNew && "animate-arrive")}
        >
          {column.link ? (
            <Link
              {...(rowLink(row) as { to: string })}
              data-row-link
              preload={false}
              className="block truncate after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {column.cell(row)}
            </Link>
          ) : (
            <span className="[&_a]:relative [&_button]:relative [&_button]:z-[1] [&_time]:relative [&_time]:z-[1]">
              {column.cell(row)}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

/** A row of a table. Drawn again only when something of it is another: rows come by the dozen while the list is scrolled. */
export const TableRow = memo(TableRowContent) as typeof TableRowContent;
