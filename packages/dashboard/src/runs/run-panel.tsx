import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Maximize2, Minimize2 } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { isAway } from "../api/away.ts";
import { eventQuery } from "../api/events.ts";
import { isUnfinished, runQuery } from "../api/runs.ts";
import type { RunStory } from "../api/types.ts";
import { sourceText } from "../events/event-columns.tsx";
import { IconButton } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Id } from "../parts/id.tsx";
import { JsonViewer } from "../parts/json-viewer.tsx";
import { isMissing, Missing } from "../parts/missing-panel.tsx";
import { useShortcut } from "../parts/shortcuts.ts";
import { Facts, PanelSection, SidePanel } from "../parts/side-panel.tsx";
import { ErrorState, Skeleton } from "../parts/states.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { durationText } from "../parts/time.tsx";
import { RunActions } from "./run-actions.tsx";
import { Duration } from "./run-columns.tsx";
import { RunLink } from "./run-link.tsx";
import { RunLogs } from "./run-logs.tsx";
import { useRunSearch } from "./run-search.ts";
import { FailedCallsDetail, Moment, StepDetail } from "./step-detail.tsx";
import { Waterfall } from "./waterfall.tsx";

/** How often a run that goes on is read, ms. */
const REFRESH_MS = 1_000;
/** A run whose steps have much to tell takes long to read: most of the time is left to others. */
const REST_FACTOR = 5;
/** How often its bars grow, ms. */
const TICK_MS = 250;

/** One run: where its time went, what it gave back, what started it. */
export function RunPanel() {
  const id = useParams({ strict: false, select: ({ runId }) => runId }) ?? "";
  const navigate = useNavigate();
  const [search, change] = useRunSearch();
  const full = search.view === "full";
  const run = useFollowedRun(id);
  const toggle = () => change({ view: full ? undefined : "full" });
  useShortcut({ keys: "f", label: "Whole page or beside the list", group: "Run" }, toggle);
  const name = run.data?.function_name ?? "Run";
  return (
    <SidePanel
      key={id}
      label={run.data === undefined ? "Run" : `Run of ${name}`}
      full={full}
      onClose={() =>
        navigate({
          to: "/runs",
          search: { ...search, step: undefined, level: undefined, view: undefined } as never,
        })
      }
      title={
        run.data === undefined ? (
          <h2 className="font-semibold">{run.isError ? "Run" : <Skeleton className="w-40" />}</h2>
        ) : (
          <div className="flex min-w-0 items-center gap-3">
            <h2 className="truncate font-semibold">
              <Link
                to="/functions/$functionId"
                params={{ functionId: run.data.function_id }}
                className="hover:underline"
              >
                {name}
              </Link>
            </h2>
            <span aria-live="polite" className="flex">
              <StatusBadge status={run.data.status} />
            </span>
          </div>
        )
      }
      actions={
        <span className="max-[1079px]:hidden">
          <IconButton
            label={full ? "Show beside the list" : "Show on the whole page"}
            keys="f"
            icon={full ? <Minimize2 size={14} /> : <Maximize2 size={14} />}
            onClick={toggle}
          />
        </span>
      }
    >
      {run.isPending ? (
        <RunSkeleton />
      ) : run.isError && isMissing(run.error) ? (
        <Missing what="run" />
      ) : run.data === undefined || (run.isError && !isAway(run.error)) ? (
        <ErrorState error={run.error} onRetry={() => run.refetch()} />
      ) : (
        <RunDetail run={run.data} step={search.step} full={full} />
      )}
    </SidePanel>
  );
}

function RunDetail({ run, step: chosen, full }: { run: RunStory; step: string | undefined; full: boolean }) {
  const event = useQuery(eventQuery(run.event_ids[0] ?? ""));
  const now = usePresent(isUnfinished(run));
  const step = run.steps.find(({ id }) => id === chosen);
  const calls = run.failed_calls.filter(({ step_id }) => (step_id ?? "calls") === chosen);
  const selected = step !== undefined || calls.length > 0 ? chosen! : "run";
  return (
    <>
      <RunActions run={run} event={event.data} />
      <Waterfall
        run={run}
        now={now}
        selected={selected}
        maxHeight={full ? "min(56vh, 640px)" : "min(42vh, 392px)"}
      />
      <div className={full ? "[&>section>*]:max-w-5xl" : ""}>
        {step !== undefined ? (
          <StepDetail key={step.id} run={run} step={step} />
        ) : calls.length > 0 ? (
          <FailedCallsDetail run={run} calls={calls} />
        ) : (
          <RunOutcome run={run} />
        )}
        <RunLogs run={run} step={selected === "run" ? undefined : selected} />
        {selected === "run" && (
          <>
            <PanelSection title="Event that started it">
              {event.isPending ? (
                <Skeleton className="w-48" />
              ) : event.isError ? (
                isMissing(event.error) ? (
                  <p className="text-muted">The event is no longer kept.</p>
                ) : (
                  <ErrorState error={event.error} onRetry={() => event.refetch()} />
                )
              ) : (
                <div className="flex flex-col gap-2">
                  <p className="flex flex-wrap items-baseline gap-x-3">
                    <Link
                      to="/events/$eventId"
                      params={{ eventId: event.data.id }}
                      className="font-medium text-accent hover:underline"
                    >
                      {event.data.name}
                    </Link>
                    <span className="text-muted">{sourceText(event.data.source)}</span>
                    <Id id={event.data.id} />
                  </p>
                  <JsonViewer label="Payload" value={event.data.data} maxHeight="320px" />
                </div>
              )}
            </PanelSection>
            <RunFacts run={run} />
          </>
        )}
      </div>
    </>
  );
}

function RunOutcome({ run }: { run: RunStory }) {
  if (run.error !== null) {
    return (
      <PanelSection title={run.status === "cancelled" ? "Why it was cancelled" : "Error"}>
        <ErrorText error={run.error} />
      </PanelSection>
    );
  }
  return (
    <PanelSection title="Output">
      {run.status === "completed" ? (
        <JsonViewer label="Output" root="output" value={run.output} />
      ) : (
        <p className="text-muted">{isUnfinished(run) ? "Not there yet." : "There is none."}</p>
      )}
    </PanelSection>
  );
}

function RunFacts({ run }: { run: RunStory }) {
  const waited = run.started_at ?? run.ended_at;
  return (
    <PanelSection title="Run">
      <Facts
        facts={[
          ["Id", <Id key="id" id={run.id} whole />],
          [
            "Function",
            <Link
              key="function"
              to="/functions/$functionId"
              params={{ functionId: run.function_id }}
              className="font-mono text-xs text-accent hover:underline"
            >
              {run.function_id}
            </Link>,
          ],
          ["App", run.app],
          ["Queued", <Moment key="queued" at={run.queued_at} />],
          ["Started", <Moment key="started" at={run.started_at} />],
          ["Ended", <Moment key="ended" at={run.ended_at} />],
          [
            "Waited",
            waited === null ? "still waits" : durationText(Date.parse(waited) - Date.parse(run.queued_at)),
          ],
          ["Duration", <Duration key="duration" run={run} />],
          ["Calls to the app", run.attempts],
          ...(run.rerun_of === null
            ? []
            : ([
                ["Repeats", <RunLink key="repeats" id={run.rerun_of} />],
                ["Steps taken over", run.kept_steps],
              ] as [string, ReactNode][])),
        ]}
      />
    </PanelSection>
  );
}

/** A run, read again and again until it ends. */
function useFollowedRun(id: string) {
  const tookMs = useRef(0);
  return useQuery({
    ...runQuery(id, (ms) => {
      tookMs.current = ms;
    }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isUnfinished(data) ? Math.max(REFRESH_MS, REST_FACTOR * tookMs.current) : false,
  });
}

/** The present, a few times a second while it matters. */
function usePresent(active: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}

function RunSkeleton() {
  return (
    <div role="status" aria-label="Loading the run" className="flex flex-col gap-3 p-4">
      <Skeleton className="h-7 w-72" />
      <Skeleton className="h-6 w-full" />
      <Skeleton className="ml-[34%] w-1/2" />
      <Skeleton className="ml-[40%] w-1/3" />
      <Skeleton className="mt-4 h-40 w-full" />
    </div>
  );
}
