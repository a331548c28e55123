import type { EventRow, RunOfEvent } from "../api/types.ts";
import { Id, shortId } from "../parts/id.tsx";
import { sizeText } from "../parts/size-text.ts";
import { StatusIcon, statusWord } from "../parts/status-badge.tsx";
import type { Column } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { LazyTooltip } from "../parts/tooltip.tsx";

/** Columns of the table of events; narrow tables leave some out. */
export const EVENT_COLUMNS: Column<EventRow>[] = [
  {
    id: "received",
    header: "Received",
    width: "76px",
    cell: ({ received_at }) => <ReceivedCell at={received_at} />,
  },
  {
    id: "name",
    header: "Name",
    width: "minmax(120px, 1fr)",
    link: true,
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  { id: "id", header: "Id", width: "148px", from: 720, cell: ({ id }) => <Id id={id} /> },
  {
    id: "source",
    header: "Source",
    width: "minmax(80px, 148px)",
    from: 560,
    cell: ({ source }) => <span className="text-muted">{sourceText(source)}</span>,
  },
  { id: "runs", header: "Functions", width: "72px", cell: (event) => <RunDots event={event} /> },
  {
    id: "size",
    header: "Size",
    width: "64px",
    from: 840,
    align: "right",
    cell: ({ size_bytes }) => <span className="text-muted">{sizeText(size_bytes)}</span>,
  },
];

function ReceivedCell({ at }: { at: string }) {
  return (
    <span className="text-muted">
      <Time at={at} />
    </span>
  );
}

/** Where an event came from; the run of a step by its short id. @example sourceText({ kind: "webhook", name: "stripe" }) // "webhook · stripe" */
export function sourceText({ kind, name }: EventRow["source"]): string {
  if (name === null) return kind;
  return `${kind} · ${kind === "step" ? shortId(name) : name}`;
}

const MAX_DOTS = 4;

/** The functions an event has started, each with the status of its run. */
function RunDots({ event: { runs, run_count } }: { event: EventRow }) {
  if (run_count === 0) return <span className="text-muted">–</span>;
  const words = runs.map(({ function_id, status }) => `${function_id} ${statusWord(status).toLowerCase()}`);
  return (
    <LazyTooltip text={<RunList runs={runs} more={run_count - runs.length} />}>
      <span
        role="img"
        aria-label={words.join(", ")}
        className="relative z-[1] inline-flex items-center gap-0.5 align-middle"
      >
        {runs.slice(0, MAX_DOTS).map(({ id, status }) => (
          <StatusIcon key={id} status={status} size={13} />
        ))}
        {run_count > MAX_DOTS && (
          <span className="tabular pl-0.5 text-xs text-muted">+{run_count - MAX_DOTS}</span>
        )}
      </span>
    </LazyTooltip>
  );
}

function RunList({ runs, more }: { runs: RunOfEvent[]; more: number }) {
  return (
    <ul className="flex flex-col gap-1 py-0.5">
      {runs.map(({ id, function_id, status }) => (
        <li key={id} className="flex items-center gap-1.5">
          <StatusIcon status={status} size={12} />
          <span className="font-mono">{function_id}</span>
          <span className="text-muted">{statusWord(status)}</span>
        </li>
      ))}
      {more > 0 && <li className="text-muted">and {more} more</li>}
    </ul>
  );
}
