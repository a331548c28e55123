import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { runQuery } from "../api/runs.ts";
import { Id } from "../parts/id.tsx";
import { JsonViewer } from "../parts/json-viewer.tsx";
import { Facts, PanelSection, SidePanel } from "../parts/side-panel.tsx";
import { ErrorState, SkeletonRows } from "../parts/states.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Time } from "../parts/time.tsx";

/** One run: its steps, its output, its error. */
export function RunPanel() {
  const id = useParams({ strict: false, select: ({ runId }) => runId }) ?? "";
  const navigate = useNavigate();
  const run = useQuery({
    ...runQuery(id),
    refetchInterval: (query) => (query.state.data?.ended_at === null ? 1_500 : false),
  });
  return (
    <SidePanel
      key={id}
      label="Run"
      title={<h2 className="truncate font-semibold">{run.data?.function_name ?? "Run"}</h2>}
      onClose={() => navigate({ to: "/runs", search: true as never })}
    >
      {run.isPending ? (
        <SkeletonRows rows={4} />
      ) : run.isError ? (
        <ErrorState error={run.error} onRetry={() => run.refetch()} />
      ) : (
        <>
          <PanelSection title="Run">
            <Facts
              facts={[
                ["Status", <StatusBadge key="status" status={run.data.status} />],
                ["Id", <Id key="id" id={run.data.id} whole />],
                ["Queued", <Time key="queued" at={run.data.queued_at} />],
                [
                  "Event",
                  <Link
                    key="event"
                    to="/events/$eventId"
                    params={{ eventId: run.data.event_ids[0]! }}
                    className="font-mono text-xs text-accent hover:underline"
                  >
                    {run.data.event_ids[0]}
                  </Link>,
                ],
              ]}
            />
          </PanelSection>
          <PanelSection title="Steps">
            {run.data.steps.length === 0 && <p className="text-muted">This run has no steps.</p>}
            <ul>
              {run.data.steps.map((step) => (
                <li key={step.id} className="flex h-8 items-center gap-3">
                  <StatusBadge status={step.status} />
                  <span className="truncate">{step.name}</span>
                </li>
              ))}
            </ul>
          </PanelSection>
          {run.data.error !== null && (
            <PanelSection title="Error">
              <pre className="overflow-x-auto rounded-md border bg-failed-soft p-3 text-xs whitespace-pre-wrap">
                {run.data.error.stack ?? `${run.data.error.name}: ${run.data.error.message}`}
              </pre>
            </PanelSection>
          )}
          <PanelSection title="Output">
            <JsonViewer label="Output" root="output" value={run.data.output} />
          </PanelSection>
        </>
      )}
    </SidePanel>
  );
}
