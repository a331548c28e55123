import { useInfiniteQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useMemo } from "react";
import { type AuditEntry, type AuditFilter, auditLogQuery } from "../api/settings.ts";
import { Button } from "../parts/button.tsx";
import { Select } from "../parts/field.tsx";
import { ListEnd } from "../parts/list-end.tsx";
import { MissingPanel } from "../parts/missing-panel.tsx";
import { useOpenRow } from "../parts/open-row.ts";
import { type PageSearch, usePageSearch } from "../parts/page-search.ts";
import { rangeSearch, readRange } from "../parts/range.ts";
import { EmptyState, ErrorState, SkeletonRows } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { TimeRange } from "../parts/time-range.tsx";
import { TypedFilter } from "../parts/typed-filter.tsx";
import { AuditPanel } from "./audit-panel.tsx";
import { ACTION_FILTERS, actionText } from "./audit-words.ts";

const COLUMNS: Column<AuditEntry>[] = [
  {
    id: "what",
    header: "What",
    width: "minmax(160px, 2fr)",
    link: true,
    cell: ({ actor, action, target }) => (
      <>
        <span className="font-medium">{actor.name}</span> {actionText(action)}{" "}
        {!action.startsWith("session.") && <span className="font-medium">{target.name ?? target.id}</span>}
      </>
    ),
  },
  {
    id: "action",
    header: "Action",
    width: "minmax(120px, 190px)",
    from: 760,
    cell: ({ action }) => <code className="text-xs">{action}</code>,
  },
  {
    id: "environment",
    header: "Environment",
    width: "110px",
    from: 900,
    cell: ({ environment }) => environment ?? "",
  },
  {
    id: "address",
    header: "From",
    width: "minmax(90px, 130px)",
    from: 620,
    cell: ({ address }) => <span className="font-mono text-xs">{address ?? ""}</span>,
  },
  { id: "at", header: "When", width: "76px", align: "right", cell: ({ at }) => <Time at={at} /> },
];

const CLEARED: PageSearch = { actor: undefined, action: undefined, target: undefined };

/** Who changed what, newest first. */
export function AuditLog() {
  const [search, change] = usePageSearch();
  const { actor, action, target, after, before } = search;
  const rangeName = search.range ?? "30d";
  const range = useMemo(() => readRange({ range: rangeName, after, before }), [rangeName, after, before]);
  const filter: AuditFilter = useMemo(() => ({ actor, action, target }), [actor, action, target]);
  const list = useInfiniteQuery(auditLogQuery(filter, range.key, range.bounds));
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const { open, missing } = useOpenRow(list, rows, search.entry, ({ id }) => id);
  const filtered = Boolean(actor || action || target);
  const known = ACTION_FILTERS.some(([value]) => value === action);

  return (
    <div className="flex h-full min-h-0">
      <div className="flex min-w-0 flex-1 flex-col">
        <div
          role="search"
          aria-label="Filter the audit log"
          className="flex flex-wrap items-center gap-2 border-b px-4 py-2"
        >
          <TimeRange
            range={range}
            onChange={(next) =>
              // Its own default is longer than that of other pages: it has to be said.
              change(typeof next === "string" ? { ...rangeSearch(next), range: next } : rangeSearch(next))
            }
          />
          <Select
            label="Action"
            hiddenLabel
            className="w-52"
            value={action ?? ""}
            onChange={(event) => change({ action: event.target.value || undefined })}
          >
            <option value="">Any action</option>
            {ACTION_FILTERS.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
            {action !== undefined && action !== "" && !known && <option value={action}>{action}</option>}
          </Select>
          <TypedFilter
            label="Who: name or id"
            placeholder="Who"
            value={actor ?? ""}
            onChange={(text) => change({ actor: text.trim() || undefined })}
            keys="/"
            className="max-w-44 min-w-28 flex-1"
          />
          <TypedFilter
            label="Id of what it was done to"
            placeholder="Id of the target"
            value={target ?? ""}
            onChange={(text) => change({ target: text.trim() || undefined })}
            className="max-w-44 min-w-28 flex-1"
          />
          {filtered && (
            <Button look="quiet" icon={<X size={13} aria-hidden />} onClick={() => change(CLEARED)}>
              Clear
            </Button>
          )}
        </div>
        {list.isPending ? (
          <SkeletonRows rows={8} />
        ) : list.isError && rows.length === 0 ? (
          <ErrorState error={list.error} onRetry={() => list.refetch()} />
        ) : rows.length === 0 && !list.hasNextPage ? (
          <EmptyState
            title={filtered ? "No change fits these filters" : "Nothing was changed in this time"}
            action={filtered ? <Button onClick={() => change(CLEARED)}>Clear the filters</Button> : undefined}
          >
            {filtered
              ? "Names and ids are compared as a whole."
              : "Every change of keys, people, environments and webhooks is written down here, without secrets."}
          </EmptyState>
        ) : (
          <Table
            label="Audit log"
            rows={rows}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            rowLink={({ id }) => ({
              to: "/settings",
              search: ((before: object) => ({ ...before, entry: id })) as never,
            })}
            selected={open?.id}
            onEnd={list.hasNextPage && !list.isFetching ? () => list.fetchNextPage() : undefined}
            footer={
              <ListEnd
                loading={list.isFetchingNextPage}
                more={list.hasNextPage}
                count={rows.length}
                words={["change", "changes"]}
              />
            }
          />
        )}
      </div>
      {missing && <MissingPanel what="change" onClose={() => change({ entry: undefined })} />}
      {open !== undefined && (
        <AuditPanel key={open.id} entry={open} onClose={() => change({ entry: undefined }, "push")} />
      )}
    </div>
  );
}
