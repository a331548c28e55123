import type { FunctionStats } from "../api/types.ts";
import { Histogram } from "../parts/histogram.tsx";
import { LineChart } from "../parts/line-chart.tsx";
import { durationText } from "../parts/time.tsx";
import { rateText } from "./function-texts.ts";

interface FunctionChartsProps {
  stats: FunctionStats;
  onSelect(range: { after: number; before: number }): void;
}

const OUTCOMES = [
  { label: "failed", color: "text-failed" },
  { label: "cancelled", color: "text-cancelled" },
  { label: "completed", color: "text-completed" },
  { label: "not ended", color: "text-running" },
];

/** Throughput, failures, durations and backlog, over the same time. */
export function FunctionCharts({ stats, onSelect }: FunctionChartsProps) {
  const { buckets, bucket_ms: bucketMs } = stats;
  const starts = buckets.map(({ start }) => Date.parse(start));
  const runs = buckets.map(({ count, completed, failed, cancelled }, i) => ({
    start: starts[i]!,
    values: [failed, cancelled, completed, count - completed - failed - cancelled],
  }));
  const shown = OUTCOMES.map((each, i) => ({ ...each, i })).filter(
    ({ label, i }) => label === "completed" || runs.some(({ values }) => values[i]! > 0),
  );
  const worst = buckets.reduce((most, { backlog }) => Math.max(most, backlog), 0);
  const waiting = buckets.at(-1)?.backlog ?? 0;
  return (
    <div className="grid border-b lg:grid-cols-2">
      <Chart title="Throughput">
        <Histogram
          label={stats.count === 1 ? "run" : "runs"}
          series={shown}
          buckets={runs.map(({ start, values }) => ({ start, values: shown.map(({ i }) => values[i]!) }))}
          bucketMs={bucketMs}
          onSelect={onSelect}
        />
      </Chart>
      <Chart title="Failure rate">
        <LineChart
          label="Share of runs that failed"
          summary={
            <>
              <b className="font-medium text-text">
                {rateText(stats.failed, stats.completed + stats.failed)}
              </b>{" "}
              of those that ended
            </>
          }
          series={[{ label: "failed", color: "text-failed" }]}
          points={buckets.map(({ completed, failed }, i) => ({
            start: starts[i]!,
            values: [completed + failed === 0 ? null : (failed / (completed + failed)) * 100],
          }))}
          bucketMs={bucketMs}
          format={(percent) => `${Number(percent.toFixed(percent < 10 ? 1 : 0))} %`}
          least={1}
        />
      </Chart>
      <Chart title="Duration">
        <LineChart
          label="Duration of runs"
          summary={
            stats.p50_ms === null || stats.p95_ms === null ? (
              "Nothing has ended yet"
            ) : (
              <>
                <Mark color="text-accent" />
                <b className="font-medium text-text">{durationText(stats.p50_ms)}</b> p50
                <Mark color="ml-3 text-cancelled" />
                <b className="font-medium text-text">{durationText(stats.p95_ms)}</b> p95
              </>
            )
          }
          series={[
            { label: "p50", color: "text-accent" },
            { label: "p95", color: "text-cancelled" },
          ]}
          points={buckets.map(({ p50_ms, p95_ms }, i) => ({ start: starts[i]!, values: [p50_ms, p95_ms] }))}
          bucketMs={bucketMs}
          format={durationText}
          least={1}
        />
      </Chart>
      <Chart title="Backlog">
        <LineChart
          label="Runs that wait for their first call"
          summary={
            <>
              <b className="font-medium text-text">{waiting.toLocaleString()}</b> waiting at the end, at most{" "}
              {worst.toLocaleString()}
            </>
          }
          series={[{ label: "waiting", color: "text-queued" }]}
          points={buckets.map(({ backlog }, i) => ({ start: starts[i]!, values: [backlog] }))}
          bucketMs={bucketMs}
          format={(count) => Math.round(count).toLocaleString()}
          least={1}
        />
      </Chart>
    </div>
  );
}

/** Ties a figure to its line. */
function Mark({ color }: { color: string }) {
  return <i aria-hidden className={`mr-1.5 inline-block h-0.5 w-3 bg-current align-middle ${color}`} />;
}

function Chart({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section
      aria-label={title}
      className="min-w-0 border-line px-4 py-3 not-last:border-b lg:even:border-l lg:nth-3:border-b-0"
    >
      <h2 className="mb-1 text-xs font-medium text-muted">{title}</h2>
      {children}
    </section>
  );
}
