import { useInfiniteQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { runListQuery } from "../api/runs.ts";
import type { Run } from "../api/types.ts";
import { PageHeader } from "../parts/page-header.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../parts/states.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { durationText, Time } from "../parts/time.tsx";

const COLUMNS: Column<Run>[] = [
  { id: "status", header: "Status", width: "108px", cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: "function",
    header: "Function",
    width: "minmax(120px, 1fr)",
    link: true,
    cell: ({ function_name }) => <span className="font-medium">{function_name}</span>,
  },
  { id: "queued", header: "Queued", width: "84px", cell: ({ queued_at }) => <Time at={queued_at} /> },
  { id: "duration", header: "Duration", width: "84px", from: 480, align: "right", cell: duration },
  {
    id: "calls",
    header: "Calls",
    width: "56px",
    from: 560,
    align: "right",
    cell: ({ attempts }) => attempts,
  },
];

function duration({ started_at, ended_at }: Run): string {
  return started_at === null || ended_at === null
    ? "–"
    : durationText(Date.parse(ended_at) - Date.parse(started_at));
}

/** The runs of functions, newest first. */
export function RunsPage() {
  const runs = useInfiniteQuery({ ...runListQuery({}), refetchInterval: 5_000 });
  const rows = runs.data?.pages.flatMap(({ data }) => data) ?? [];
  const selected = useParams({ strict: false, select: ({ runId }) => runId });
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">
        <PageHeader title="Runs" />
        {runs.isPending ? (
          <SkeletonRows rows={14} />
        ) : runs.isError && rows.length === 0 ? (
          <ErrorState error={runs.error} onRetry={() => runs.refetch()} />
        ) : rows.length === 0 ? (
          <EmptyState title="Nothing has run yet">
            A function runs when an event comes that it listens to. Send one to see it here.
          </EmptyState>
        ) : (
          <Table
            label="Runs"
            rows={rows}
            columns={COLUMNS}
            rowKey={(run) => run.id}
            rowLink={(run) => ({ to: "/runs/$runId", params: { runId: run.id } as never })}
            selected={selected}
            onEnd={runs.hasNextPage && !runs.isFetching ? () => runs.fetchNextPage() : undefined}
          />
        )}
      </div>
      <Outlet />
    </div>
  );
}
