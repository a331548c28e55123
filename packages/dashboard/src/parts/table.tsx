import { type LinkProps, useNavigate } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Fragment, type ReactNode, useEffect, useMemo, useRef } from "react";
import { classNames } from "./class-names.ts";
import { useWidth } from "./element-size.ts";
import { useShortcut } from "./shortcuts.ts";
import { type Column, cellClasses, TableRow } from "./table-row.tsx";

export type { Column };

export interface TableProps<Row> {
  /** What the rows are, for those who listen. */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey(row: Row): string;
  /** Where a row leads. Rows are drawn again when it is another function. */
  rowLink(row: Row): LinkProps;
  /** What stands above a row that begins a group; null for all others. */
  heading?(row: Row, before: Row | undefined): ReactNode | null;
  /** Key of the row that is open beside the table. */
  selected?: string | undefined;
  /** Whether a row has just come in. */
  isNew?(row: Row): boolean;
  /** The last rows are in sight: time to load more. */
  onEnd?: (() => void) | undefined;
  /** Below the last row. */
  footer?: ReactNode;
  /** Told whether the first row is in sight. */
  onTop?(atTop: boolean): void;
  /** Over the rows, at their top. */
  overlay?: ReactNode;
}

const ROW_PX = 36;
const HEADING_PX = 40;
const OVERSCAN = 12;
/** Rows before the end at which more are asked for. */
const AHEAD = 30;

/**
 * Rows of 36 px, of which only those in sight are in the page. `j` and `k` move, Enter opens; when a row is open beside
 * the table, `j` and `k` open the next one.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, columns, rowKey, rowLink, selected, isNew, onEnd, footer, onTop, overlay } = props;
  const headingOf = (index: number) => props.heading?.(rows[index]!, rows[index - 1]) ?? null;
  const scroller = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const [measure, width] = useWidth();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (headingOf(index) === null ? ROW_PX : ROW_PX + HEADING_PX),
    overscan: OVERSCAN,
    // Rows are drawn with the next frame: a wheel that turns fast is not held up by each of its events.
    useFlushSync: false,
    getItemKey: (index) => rowKey(rows[index]!),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onEnd !== undefined && rows.length > 0 && last >= rows.length - AHEAD) onEnd();
  }, [last, rows.length, onEnd]);

  const focusRow = (index: number) => {
    virtual.scrollToIndex(index, { align: "auto" });
    requestAnimationFrame(() => {
      const key = CSS.escape(rowKey(rows[index]!));
      scroller.current?.querySelector<HTMLElement>(`[data-key="${key}"] [data-row-link]`)?.focus();
    });
  };
  const move = (by: number) => {
    if (rows.length === 0) return;
    const focused = document.activeElement?.closest<HTMLElement>("[data-key]")?.dataset.key;
    const at = rows.findIndex((row) => rowKey(row) === (selected ?? focused));
    const next = Math.min(rows.length - 1, Math.max(0, at === -1 ? 0 : at + by));
    focusRow(next);
    if (selected !== undefined && next !== at) navigate({ ...rowLink(rows[next]!), replace: true } as never);
  };
  useShortcut({ keys: "j", label: "Next row", group: "Lists" }, () => move(1));
  useShortcut({ keys: "k", label: "Previous row", group: "Lists" }, () => move(-1));
  useShortcut({ keys: "enter", label: "Open the row", group: "Lists", native: true }, () => {});

  const shown = useMemo(
    () => columns.filter(({ from }) => from === undefined || width >= from),
    [columns, width],
  );
  const template = useMemo(
    () => ({ gridTemplateColumns: shown.map((column) => column.width).join(" ") }),
    [shown],
  );

  return (
    <div
      ref={measure}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      className="relative flex min-h-0 flex-1 flex-col"
    >
      <div role="rowgroup" className="shrink-0 overflow-hidden border-b bg-panel [scrollbar-gutter:stable]">
        <div role="row" aria-rowindex={1} style={template} className="grid h-8 items-center gap-3 px-4">
          {shown.map((column) => (
            <div
              key={column.id}
              role="columnheader"
              className={classNames(cellClasses(column), "text-xs text-muted")}
            >
              {column.header}
            </div>
          ))}
        </div>
      </div>
      {overlay}
      <div
        ref={scroller}
        role="rowgroup"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto [scrollbar-gutter:stable]"
        onScroll={(event) => onTop?.(event.currentTarget.scrollTop < ROW_PX)}
      >
        <div role="presentation" style={{ height: virtual.getTotalSize() }} className="relative">
          {items.map((item) => {
            const row = rows[item.index]!;
            const key = rowKey(row);
            const heading = headingOf(item.index);
            const top = heading === null ? item.start : item.start + HEADING_PX;
            return (
              <Fragment key={item.key}>
                {heading !== null && (
                  <div
                    role="row"
                    style={{ transform: `translateY(${item.start}px)` }}
                    className="absolute inset-x-0 top-0 flex h-10 items-end border-b px-4 pb-1.5"
                  >
                    <div role="cell" aria-colspan={shown.length} className="text-xs font-medium text-muted">
                      {heading}
                    </div>
                  </div>
                )}
                <TableRow
                  row={row}
                  rowKey={key}
                  index={item.index}
                  top={top}
                  columns={shown}
                  template={template}
                  rowLink={rowLink}
                  selected={selected === undefined ? undefined : key === selected}
                  isNew={isNew?.(row) === true}
                />
              </Fragment>
            );
          })}
        </div>
        {footer}
      </div>
    </div>
  );
}
