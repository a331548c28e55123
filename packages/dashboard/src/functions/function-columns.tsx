import { CirclePause } from "lucide-react";
import type { Fn } from "../api/types.ts";
import { classNames } from "../parts/class-names.ts";
import type { Column } from "../parts/table.tsx";
import { rateText, triggerText } from "./function-texts.ts";
import { Sparkline } from "./sparkline.tsx";

/** A function with what it did in the last day; null while that is not known. */
export interface FunctionRow extends Fn {
  activity: { count: number; failed: number; buckets: [count: number, failed: number][] } | null;
}

/** Columns of the table of functions; narrow tables leave some out. */
export const FUNCTION_COLUMNS: Column<FunctionRow>[] = [
  {
    id: "name",
    header: "Function",
    width: "minmax(130px, 1.2fr)",
    link: true,
    cell: (fn) => (
      <span className="flex items-center gap-2">
        <span className="truncate font-medium">{fn.name}</span>
        {fn.paused && <PausedBadge />}
      </span>
    ),
  },
  {
    id: "triggers",
    header: "Triggers",
    width: "minmax(110px, 1fr)",
    from: 560,
    cell: ({ triggers }) => {
      const [first, ...others] = triggers;
      return (
        <span className="text-muted" title={triggers.map(triggerText).join(", ")}>
          {first === undefined ? "none" : triggerText(first)}
          {others.length > 0 && ` +${others.length}`}
        </span>
      );
    },
  },
  {
    id: "app",
    header: "App",
    width: "minmax(80px, 0.6fr)",
    from: 760,
    cell: ({ app }) => <span className="text-muted">{app}</span>,
  },
  {
    id: "sparkline",
    header: "Last 24 hours",
    width: "96px",
    from: 480,
    cell: ({ name, activity }) =>
      activity !== null && (
        <Sparkline
          buckets={activity.buckets}
          label={`${name}: ${activity.count} runs in the last 24 hours, ${activity.failed} failed`}
        />
      ),
  },
  {
    id: "runs",
    header: "Runs",
    width: "60px",
    align: "right",
    cell: ({ activity }) => <span className="text-muted">{activity?.count.toLocaleString() ?? "…"}</span>,
  },
  {
    id: "failures",
    header: "Failed",
    width: "60px",
    align: "right",
    cell: ({ activity }) => (
      <span className={classNames(activity !== null && activity.failed > 0 ? "text-failed" : "text-muted")}>
        {activity === null ? "…" : rateText(activity.failed, activity.count)}
      </span>
    ),
  },
];

/** Says that no event starts it. */
export function PausedBadge() {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 rounded border border-line-strong px-1.5 text-xs font-normal text-cancelled">
      <CirclePause size={11} aria-hidden />
      Paused
    </span>
  );
}
