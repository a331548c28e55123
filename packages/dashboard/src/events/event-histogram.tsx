import { useQuery } from "@tanstack/react-query";
import { eventStatsQuery } from "../api/events.ts";
import { Histogram, type Series } from "../parts/histogram.tsx";
import type { Range } from "../parts/range.ts";
import { ErrorState, Skeleton } from "../parts/states.tsx";
import { bucketsOf, hasUnknown } from "./event-buckets.ts";

/** Bottom up; in words that say what became of an event. */
const SERIES: Series[] = [
  { label: "with failed runs", color: "text-failed" },
  { label: "triggered something", color: "text-accent" },
  { label: "triggered nothing", color: "text-rest" },
];
/** Beside these, when there were too many events to look what each has started. */
const UNKNOWN: Series = { label: "not looked into", color: "text-line-strong" };

/** How often the chart is read anew while events come in, ms. */
const REFRESH_MS = 10_000;

interface EventHistogramProps {
  name: string | undefined;
  range: Range;
  live: boolean;
  /** Filters beside name and time are on: the chart counts more than the table shows. */
  partly: boolean;
  onSelect(range: { after: number; before: number }): void;
}

/** How many events came when, and what became of them. */
export function EventHistogram({ name, range, live, partly, onSelect }: EventHistogramProps) {
  const stats = useQuery({
    ...eventStatsQuery(name, range.key, range.bounds),
    refetchInterval: live ? REFRESH_MS : false,
  });
  if (stats.isError && stats.data === undefined) {
    return <ErrorState error={stats.error} onRetry={() => stats.refetch()} />;
  }
  if (stats.data === undefined) {
    return (
      <div className="flex h-[110px] flex-col justify-between">
        <Skeleton className="w-64" />
        <Skeleton className="h-16 w-full" />
      </div>
    );
  }
  const { bucket_ms, counted_from, outcomes_from, after } = stats.data;
  const notes = [
    partly && "The chart is narrowed down by name and time only.",
    counted_from > after && `Counted from ${momentText(counted_from)} on.`,
    outcomes_from > counted_from && `What events triggered is counted from ${momentText(outcomes_from)} on.`,
  ].filter(Boolean);
  return (
    <>
      <Histogram
        label={name === undefined ? "events" : "events of these names"}
        series={hasUnknown(stats.data) ? [...SERIES, UNKNOWN] : SERIES}
        buckets={bucketsOf(stats.data)}
        bucketMs={bucket_ms}
        onSelect={onSelect}
      />
      {notes.length > 0 && <p className="mt-1 text-xs text-muted">{notes.join(" ")}</p>}
    </>
  );
}

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function momentText(at: string): string {
  return MOMENT.format(Date.parse(at));
}
