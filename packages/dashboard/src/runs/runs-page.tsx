import { useQuery } from "@tanstack/react-query";
import { type LinkProps, Outlet, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { functionsQuery } from "../api/functions.ts";
import { useMay } from "../api/me.ts";
import type { RunFilter } from "../api/runs.ts";
import type { Run } from "../api/types.ts";
import { suggestedEvent } from "../events/suggested-event.ts";
import { openDialog } from "../frame/actions.ts";
import { isBranchParent, OfOneBranch } from "../parts/branch-parent.tsx";
import { Button } from "../parts/button.tsx";
import { LiveToggle } from "../parts/live-list.tsx";
import { LiveTable, useAttention } from "../parts/live-table.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { readRange } from "../parts/range.ts";
import { useShortcut } from "../parts/shortcuts.ts";
import { EmptyState } from "../parts/states.tsx";
import { curlCommand } from "../place.ts";
import { RUN_COLUMNS } from "./run-columns.tsx";
import { RunFilters } from "./run-filters.tsx";
import { RunHistogram } from "./run-histogram.tsx";
import { useRunRows } from "./run-rows.ts";
import { CLEARED, isFiltered, type RunSearch, useRunSearch } from "./run-search.ts";

/** What the functions did, newest first. */
export function RunsPage() {
  const [search, change] = useRunSearch();
  const { range: rangeName, after, before, function: fn, app, status } = search;
  const range = useMemo(() => readRange({ range: rangeName, after, before }), [rangeName, after, before]);
  const filter = useMemo((): RunFilter => ({ function: fn, app, status }), [fn, app, status]);
  const selected = useParams({ strict: false, select: ({ runId }) => runId });
  const attention = useAttention();
  // A range that has ended gets no new runs.
  const canFollow = range.name !== null;
  const following = canFollow && search.live !== "off";
  const paused = attention.looking && !attention.released;
  const { list, rows, waiting, searching, fresh } = useRunRows(filter, range, following, paused);
  const toggle = () => change({ live: following ? "off" : undefined });
  useShortcut({ keys: "l", label: "Live tail on or off", group: "Lists" }, canFollow ? toggle : null);

  return (
    <div className="relative flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">
        <PageHeader title="Runs">
          {canFollow && (
            <LiveToggle
              on={following}
              connected={!fresh.isError && fresh.data !== undefined}
              paused={waiting > 0}
              onToggle={toggle}
            />
          )}
        </PageHeader>
        <RunFilters search={search} range={range} onChange={change} />
        <div className="border-b px-4 pt-1 pb-2">
          <RunHistogram
            functions={fn}
            app={app}
            statuses={status}
            range={range}
            live={following}
            onSelect={({ after: from, before: to }) =>
              change({ range: undefined, after: String(from), before: String(to) })
            }
          />
        </div>
        <LiveTable
          label="Runs"
          region="List of runs"
          words={["run", "runs"]}
          rows={rows}
          columns={RUN_COLUMNS}
          rowKey={runKey}
          rowLink={runLink}
          selected={selected}
          list={list}
          searching={searching}
          empty={<NoRuns search={search} onClear={() => change(CLEARED)} />}
          attention={attention}
          waiting={waiting}
          onRelease={attention.release}
        />
      </div>
      <Outlet />
    </div>
  );
}

const runKey = (run: Run) => run.id;
const runLink = (run: Run): LinkProps => ({
  to: "/runs/$runId",
  params: { runId: run.id } as never,
  search: ((now: RunSearch) => ({ ...now, step: undefined })) as never,
});

function NoRuns({ search, onClear }: { search: RunSearch; onClear(): void }) {
  const maySend = useMay("send");
  const functions = useQuery(functionsQuery());
  if (isBranchParent()) return <OfOneBranch what="Runs" />;
  if (isFiltered(search)) {
    return (
      <EmptyState
        title="No run fits these filters"
        action={<Button onClick={onClear}>Clear the filters</Button>}
      >
        In the time range chosen, nothing ran that they let through.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nothing has run in this time"
      command={curlCommand(suggestedEvent(functions.data ?? []))}
      action={
        maySend && (
          <Button look="primary" onClick={() => openDialog("send")}>
            Send an event from here
          </Button>
        )
      }
    >
      A function runs when an event comes that it listens to. Send one, or widen the time range.
    </EmptyState>
  );
}
