import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type AuditEntry, type AuditFilter, auditLogQuery } from "../api/settings.ts";
import { Button } from "../parts/button.tsx";
import { Select } from "../parts/field.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { shortId } from "../parts/id.tsx";
import { ListDetail } from "../parts/list-detail.tsx";
import { type PageSearch, usePageSearch } from "../parts/page-search.ts";
import { rangeSearch, readRange } from "../parts/range.ts";
import { EmptyState } from "../parts/states.tsx";
import type { Column } from "../parts/table.tsx";
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
        {!action.startsWith("session.") && (
          <span className="font-medium">{target.name ?? shortId(target.id)}</span>
        )}
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
  const filtered = Boolean(actor || action || target);
  const known = ACTION_FILTERS.some(([value]) => value === action);

  return (
    <ListDetail
      label="Audit log"
      words={["change", "changes"]}
      list={list}
      rows={rows}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      param="entry"
      panel={(open, onClose) => <AuditPanel key={open.id} entry={open} onClose={onClose} />}
      above={
        <FilterBar
          label="Filter the audit log"
          lined
          first={
            <TimeRange
              range={range}
              onChange={(next) =>
                // Its own default is longer than that of other pages: it has to be said.
                change(typeof next === "string" ? { ...rangeSearch(next), range: next } : rangeSearch(next))
              }
            />
          }
          active={[actor, action, target].filter(Boolean).length}
          onClear={() => change(CLEARED)}
        >
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
        </FilterBar>
      }
      empty={
        <EmptyState
          title={filtered ? "No change fits these filters" : "Nothing was changed in this time"}
          action={filtered ? <Button onClick={() => change(CLEARED)}>Clear the filters</Button> : undefined}
        >
          {filtered
            ? "Names and ids are compared as a whole."
            : "Every change of keys, people, environments and webhooks is written down here, without secrets."}
        </EmptyState>
      }
    />
  );
}
