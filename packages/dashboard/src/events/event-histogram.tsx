import { useQuery } from "@tanstack/react-query";
import { type EventFilter, eventStatsQuery } from "../api/events.ts";
import type { EventStats } from "../api/types.ts";
import { ChartState } from "../parts/chart-state.tsx";
import { Histogram, type Series } from "../parts/histogram.tsx";
import type { Range } from "../parts/range.ts";
import { minuteText } from "../parts/time.tsx";
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
  filter: EventFilter;
  range: Range;
  live: boolean;
  /** Filters beside name and time are on: the chart counts more than the table shows. */
  partly: boolean;
  onSelect(range: { after: number; before: number }): void;
}

/** How many events came when, and what became of them. */
export function EventHistogram({ filter, range, live, partly, onSelect }: EventHistogramProps) {
  const stats = useQuery({
    ...eventStatsQuery(filter, range.key, range.bounds),
    refetchInterval: live ? REFRESH_MS : false,
  });
  return (
    <ChartState stats={stats}>
      {(data) => <EventChart data={data} filter={filter} partly={partly} onSelect={onSelect} />}
    </ChartState>
  );
}

function EventChart({
  data,
  filter,
  partly,
  onSelect,
}: Pick<EventHistogramProps, "filter" | "partly" | "onSelect"> & { data: EventStats }) {
  const { bucket_ms, counted_from, outcomes_from, after } = data;
  const notes = [
    partly && "The chart is narrowed down by name and time only.",
    counted_from > after && `Counted from ${minuteText(counted_from)} on.`,
    outcomes_from > counted_from && `What events triggered is counted from ${minuteText(outcomes_from)} on.`,
  ].filter(Boolean);
  return (
    <>
      <Histogram
        label={filter.name === undefined ? "events" : "events of these names"}
        series={hasUnknown(data) ? [...SERIES, UNKNOWN] : SERIES}
        buckets={bucketsOf(data)}
        bucketMs={bucket_ms}
        onSelect={onSelect}
      />
      {notes.length > 0 && <p className="mt-1 text-xs text-muted">{notes.join(" ")}</p>}
    </>
  );
}
