import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { CirclePause, CirclePlay, Play } from "lucide-react";
import { useMemo, useState } from "react";
import { functionQuery, functionStatsQuery, pauseFunction } from "../api/functions.ts";
import { useMay } from "../api/me.ts";
import { ApiError } from "../api/request.ts";
import { recentRunsQuery } from "../api/runs.ts";
import type { Fn, Run } from "../api/types.ts";
import { Button, buttonClasses } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Crumbs } from "../parts/crumbs.tsx";
import { Id } from "../parts/id.tsx";
import { JsonViewer } from "../parts/json-viewer.tsx";
import { LookOnly } from "../parts/not-allowed.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { usePageTitle } from "../parts/page-title.ts";
import { type RangeSearch, rangeSearch, readRange } from "../parts/range.ts";
import { useShortcut } from "../parts/shortcuts.ts";
import { Facts, PanelSection } from "../parts/side-panel.tsx";
import { EmptyState, ErrorState, Skeleton } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { TimeRange } from "../parts/time-range.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { RunLine } from "../runs/run-line.tsx";
import { FunctionCharts } from "./function-charts.tsx";
import { PausedBadge } from "./function-columns.tsx";
import { InvokeDialog } from "./invoke-dialog.tsx";

const STATS_MS = 10_000;
const RUNS_MS = 3_000;
const RECENT = 10;

type Detail = Fn & { config: Record<string, unknown> };

/** One function: how it does, what starts it, what it did last. */
export function FunctionPage() {
  const id = useParams({ strict: false, select: ({ functionId }) => functionId }) ?? "";
  const fn = useQuery(functionQuery(id));
  usePageTitle(fn.data?.name ?? "Function");
  if (fn.data === undefined) {
    return (
      <>
        <PageHeader
          title={
            <Crumbs to="/functions" parent="Functions">
              {fn.isError ? id : <Skeleton className="inline-block w-40" />}
            </Crumbs>
          }
        />
        {fn.isPending ? (
          <PageSkeleton />
        ) : fn.error instanceof ApiError && fn.error.status === 404 ? (
          <EmptyState
            title="There is no such function"
            action={
              <Link to="/runs" search={{ function: id } as never} className={buttonClasses()}>
                Look for its runs
              </Link>
            }
          >
            Its app may no longer have it: a function that a sync does not name is archived. Its runs are
            kept.
          </EmptyState>
        ) : (
          <ErrorState error={fn.error} onRetry={() => fn.refetch()} />
        )}
      </>
    );
  }
  return <FunctionDetail key={id} fn={fn.data} />;
}

function FunctionDetail({ fn }: { fn: Detail }) {
  const { range: rangeName, after, before } = useSearch({ strict: false }) as RangeSearch;
  const range = useMemo(() => readRange({ range: rangeName, after, before }), [rangeName, after, before]);
  const navigate = useNavigate();
  const choose = (next: Parameters<typeof rangeSearch>[0]) =>
    navigate({
      to: ".",
      search: ((now: RangeSearch) => ({ ...now, ...rangeSearch(next) })) as never,
      replace: true,
    });
  const stats = useQuery({
    ...functionStatsQuery(fn.id, range.key, range.bounds),
    refetchInterval: range.name === null ? false : STATS_MS,
  });
  return (
    <>
      <PageHeader
        title={
          <Crumbs to="/functions" parent="Functions">
            {fn.name}
          </Crumbs>
        }
        note={fn.paused && <PausedBadge />}
      >
        <FunctionActions fn={fn} />
      </PageHeader>
      <div role="region" aria-label={fn.name} className="min-h-0 flex-1 overflow-y-auto">
        <div className="flex flex-wrap items-center gap-2 border-b px-4 py-2">
          <TimeRange range={range} onChange={choose} />
          {stats.data !== undefined && stats.data.counted_from > stats.data.after && (
            <p className="text-xs text-muted">
              There are more runs than are counted at once: counted from{" "}
              {new Date(stats.data.counted_from).toLocaleString()} on.
            </p>
          )}
        </div>
        {stats.data !== undefined ? (
          <FunctionCharts stats={stats.data} onSelect={choose} />
        ) : stats.isError ? (
          <ErrorState error={stats.error} onRetry={() => stats.refetch()} />
        ) : (
          <ChartsSkeleton />
        )}
        <div className="grid items-start lg:grid-cols-2">
          <RecentRuns fn={fn} />
          <div className="min-w-0 lg:border-l">
            <PanelSection title={fn.triggers.length === 1 ? "Trigger" : "Triggers"}>
              <Triggers fn={fn} />
            </PanelSection>
            <PanelSection title="Function">
              <Facts
                facts={[
                  ["Id", <Id key="id" id={fn.id} whole />],
                  ["App", fn.app],
                  [
                    "Called at",
                    <code key="url" className="text-xs break-all">
                      {fn.url}
                    </code>,
                  ],
                  ["Retries", fn.retries],
                ]}
              />
            </PanelSection>
            <PanelSection title="Configuration as synced">
              <JsonViewer label="Configuration" root="config" value={fn.config} maxHeight="400px" />
            </PanelSection>
          </div>
        </div>
      </div>
    </>
  );
}

function FunctionActions({ fn }: { fn: Detail }) {
  const maySend = useMay("send");
  const mayManage = useMay("manage");
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<"invoke" | "pause" | null>(null);
  const setPaused = async (paused: boolean) => {
    const changed = await pauseFunction(fn.id, paused);
    queryClient.setQueryData(functionQuery(fn.id).queryKey, { ...fn, ...changed });
    toast("done", paused ? `${fn.name} is paused: events start no runs of it.` : `${fn.name} runs again.`);
    await queryClient.invalidateQueries({ queryKey: ["functions"] });
  };
  useShortcut({ keys: "i", label: "Invoke", group: "Function" }, maySend ? () => setDialog("invoke") : null);
  return (
    <span className="flex flex-wrap items-center gap-2">
      {!maySend && !mayManage && <LookOnly permission="manage" />}
      {mayManage &&
        (fn.paused ? (
          <Button
            icon={<CirclePlay size={13} aria-hidden />}
            onClick={() => setPaused(false).catch(toastError)}
          >
            Resume
          </Button>
        ) : (
          <Button icon={<CirclePause size={13} aria-hidden />} onClick={() => setDialog("pause")}>
            Pause
          </Button>
        ))}
      {maySend && (
        <Button look="primary" icon={<Play size={13} aria-hidden />} onClick={() => setDialog("invoke")}>
          Invoke
        </Button>
      )}
      {dialog === "invoke" && <InvokeDialog fn={fn} onClose={() => setDialog(null)} />}
      {dialog === "pause" && (
        <ConfirmDialog
          title={`Pause ${fn.name}?`}
          action="Pause"
          onConfirm={() => setPaused(true)}
          onClose={() => setDialog(null)}
        >
          <p>
            Events that come while it is paused start no runs of it, and start none later. Runs that are there
            already go on to their end.
          </p>
        </ConfirmDialog>
      )}
    </span>
  );
}

function Triggers({ fn: { triggers } }: { fn: Fn }) {
  if (triggers.length === 0)
    return <p className="text-muted">It has none: it only runs when it is invoked.</p>;
  return (
    <ul className="flex flex-col gap-1">
      {triggers.map((trigger) =>
        "event" in trigger && trigger.event ? (
          <li key={`${trigger.event}${trigger.expression}`} className="flex flex-wrap items-baseline gap-x-2">
            <Link
              to="/events"
              search={{ name: trigger.event } as never}
              className="font-medium text-accent hover:underline"
            >
              {trigger.event}
            </Link>
            {trigger.expression && (
              <span className="text-muted">
                if <code className="text-xs break-all text-text">{trigger.expression}</code>
              </span>
            )}
          </li>
        ) : (
          "cron" in trigger && (
            <li key={trigger.cron} className="flex flex-wrap items-baseline gap-x-2">
              <code className="text-xs">{trigger.cron}</code>
              <span className="text-muted">schedules are not carried out yet</span>
            </li>
          )
        ),
      )}
    </ul>
  );
}

function RecentRuns({ fn }: { fn: Fn }) {
  const runs = useQuery({ ...recentRunsQuery(fn.id, RECENT), refetchInterval: RUNS_MS });
  return (
    <PanelSection
      title="Recent runs"
      actions={
        <Link to="/runs" search={{ function: fn.id } as never} className={buttonClasses("quiet", "-mr-2.5")}>
          All runs
        </Link>
      }
    >
      {runs.data === undefined ? (
        runs.isError ? (
          <ErrorState error={runs.error} onRetry={() => runs.refetch()} />
        ) : (
          <Skeleton className="w-64" />
        )
      ) : runs.data.length === 0 ? (
        <p className="text-muted">It has not run yet.</p>
      ) : (
        <ul className="flex flex-col">
          {runs.data.map((run) => (
            <RecentRun key={run.id} run={run} />
          ))}
        </ul>
      )}
    </PanelSection>
  );
}

function RecentRun({ run }: { run: Run }) {
  return (
    <li>
      <RunLine run={run}>
        <span className="min-w-0 flex-1 truncate">
          {run.error === null ? (
            <span className="text-muted">{run.event_name ?? "event gone"}</span>
          ) : (
            <span className="text-failed">{run.error.message}</span>
          )}
        </span>
        <span className="tabular shrink-0 text-muted">
          <Time at={run.queued_at} />
        </span>
      </RunLine>
    </li>
  );
}

function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading the function">
      <ChartsSkeleton />
    </div>
  );
}

function ChartsSkeleton() {
  return (
    <div className="grid border-b lg:grid-cols-2">
      {["Throughput", "Failure rate", "Duration", "Backlog"].map((title) => (
        <div key={title} className="flex h-[139px] flex-col justify-between px-4 py-3">
          <Skeleton className="w-32" />
          <Skeleton className="h-16 w-full" />
        </div>
      ))}
    </div>
  );
}
