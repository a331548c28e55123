import { useQuery } from "@tanstack/react-query";
import { runStatsQuery } from "../api/runs.ts";
import { RUN_STATUSES, type RunStats, type RunStatus } from "../api/types.ts";
import { ChartState } from "../parts/chart-state.tsx";
import { type Bucket, Histogram, type Series } from "../parts/histogram.tsx";
import type { Range } from "../parts/range.ts";
import { minuteText } from "../parts/time.tsx";

/** Bottom up: what went wrong stands on the axis, where it is seen best. */
const SERIES: (Series & { status: RunStatus })[] = [
  { status: "failed", label: "failed", color: "text-failed" },
  { status: "cancelled", label: "cancelled", color: "text-cancelled" },
  { status: "skipped", label: "skipped", color: "text-ignored" },
  { status: "completed", label: "completed", color: "text-completed" },
  { status: "running", label: "running", color: "text-running" },
  { status: "queued", label: "queued", color: "text-queued" },
];
/** These are told of though there are none. */
const ALWAYS: RunStatus[] = ["completed", "failed"];

/** How often the chart is read anew while runs come in, ms. */
const REFRESH_MS = 5_000;

interface RunHistogramProps {
  functions: string | undefined;
  app: string | undefined;
  /** Separated by commas; undefined for all. */
  statuses: string | undefined;
  range: Range;
  live: boolean;
  onSelect(range: { after: number; before: number }): void;
}

/** How many runs were queued when, by what they are now. */
export function RunHistogram({ functions, app, statuses, range, live, onSelect }: RunHistogramProps) {
  const stats = useQuery({
    ...runStatsQuery({ function: functions, app }, range.key, range.bounds),
    refetchInterval: live ? REFRESH_MS : false,
  });
  return (
    <ChartState stats={stats}>
      {(data) => <RunChart data={data} statuses={statuses} onSelect={onSelect} />}
    </ChartState>
  );
}

function RunChart({
  data,
  statuses,
  onSelect,
}: Pick<RunHistogramProps, "statuses" | "onSelect"> & { data: RunStats }) {
  const { bucket_ms, counted_from, after, buckets } = data;
  const chosen = statuses?.split(",") ?? RUN_STATUSES;
  const series = SERIES.filter(
    ({ status }) =>
      (chosen as readonly string[]).includes(status) &&
      (ALWAYS.includes(status) || statuses !== undefined || buckets.some((bucket) => bucket[status] > 0)),
  );
  return (
    <>
      <Histogram
        label="runs"
        series={series}
        buckets={bucketsOf(data, series)}
        bucketMs={bucket_ms}
        onSelect={onSelect}
      />
      {counted_from > after && (
        <p className="mt-1 text-xs text-muted">Counted from {minuteText(counted_from)} on.</p>
      )}
    </>
  );
}

function bucketsOf({ buckets }: RunStats, series: typeof SERIES): Bucket[] {
  return buckets.map((bucket) => ({
    start: Date.parse(bucket.start),
    values: series.map(({ status }) => bucket[status]),
  }));
}
