import { isUnfinished } from "../api/runs.ts";
import type { Run } from "../api/types.ts";
import { Id } from "../parts/id.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import type { Column } from "../parts/table.tsx";
import { durationText, Time, useNow } from "../parts/time.tsx";

/** Columns of the table of runs; narrow tables leave some out. */
export const RUN_COLUMNS: Column<Run>[] = [
  { id: "status", header: "Status", width: "104px", cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: "function",
    header: "Function",
    width: "minmax(110px, 1.2fr)",
    link: true,
    cell: ({ function_name }) => <span className="font-medium">{function_name}</span>,
  },
  {
    id: "trigger",
    header: "Trigger",
    width: "minmax(100px, 1fr)",
    from: 620,
    cell: ({ event_name }) => (
      <span className="text-muted" title={event_name ?? undefined}>
        {event_name ?? "event gone"}
      </span>
    ),
  },
  { id: "id", header: "Id", width: "148px", from: 860, cell: ({ id }) => <Id id={id} /> },
  {
    id: "queued",
    header: "Queued",
    width: "76px",
    cell: ({ queued_at }) => (
      <span className="text-muted">
        <Time at={queued_at} />
      </span>
    ),
  },
  {
    id: "duration",
    header: "Duration",
    width: "76px",
    from: 420,
    align: "right",
    cell: (run) => <Duration run={run} />,
  },
  {
    id: "calls",
    header: "Calls",
    width: "48px",
    from: 520,
    align: "right",
    cell: ({ attempts }) => <span className="text-muted">{attempts}</span>,
  },
];

/** How long a run took from its first call on, or has taken so far. */
export function Duration({ run }: { run: Pick<Run, "status" | "started_at" | "ended_at"> }) {
  const { started_at, ended_at } = run;
  if (started_at === null) return <span className="text-muted">–</span>;
  if (ended_at !== null) return <>{durationText(Date.parse(ended_at) - Date.parse(started_at))}</>;
  return isUnfinished(run) ? <Going since={started_at} /> : <span className="text-muted">–</span>;
}

function Going({ since }: { since: string }) {
  const now = useNow();
  return <span className="text-running">{durationText(Math.max(0, now - Date.parse(since)))}</span>;
}
