import { type ReactNode, useState } from "react";
import { useWidth } from "./element-size.ts";
import { AXIS, AxisLabels, ChartTip, HEIGHT, type Series } from "./histogram.tsx";

interface LineChartProps {
  /** What is measured, for those who listen. */
  label: string;
  /** Stands above, at the left: the figure that matters, and with several series what their colours mean. */
  summary: ReactNode;
  series: Series[];
  points: readonly Point[];
  bucketMs: number;
  format(value: number): string;
  /** The axis reaches at least this far. */
  least: number;
}

export interface Point {
  /** ms */
  start: number;
  /** One per series; null where there is nothing to measure. */
  values: (number | null)[];
}

/** Values over time, a line each; where nothing was measured the line is broken. */
export function LineChart({ label, summary, series, points, bucketMs, format, least }: LineChartProps) {
  const [measure, width] = useWidth();
  const [hovered, setHovered] = useState<number | null>(null);
  const highest = points.reduce(
    (most, { values }) => Math.max(most, ...values.map((value) => value ?? 0)),
    least,
  );
  const slot = points.length === 0 ? 0 : width / points.length;
  const x = (at: number) => (at + 0.5) * slot;
  const y = (value: number) => HEIGHT - (value / highest) * (HEIGHT - 6);
  const point = hovered === null ? undefined : points[hovered];

  return (
    <figure className="relative">
      <figcaption className="mb-1 flex flex-wrap items-baseline gap-x-4 text-xs text-muted">
        <span className="tabular flex-1">{summary}</span>
        <span className="tabular">{format(highest)}</span>
      </figcaption>
      <div ref={measure}>
        <svg
          role="img"
          aria-label={`${label}, at most ${format(highest)}`}
          width={width}
          height={HEIGHT + AXIS}
          className="block touch-pan-y"
          onPointerMove={(event) => {
            if (points.length === 0) return;
            const { left } = event.currentTarget.getBoundingClientRect();
            const at = Math.floor((event.clientX - left) / slot);
            setHovered(Math.min(points.length - 1, Math.max(0, at)));
          }}
          onPointerLeave={() => setHovered(null)}
        >
          <line x1={0} x2={width} y1={6.5} y2={6.5} strokeDasharray="2 3" className="stroke-line" />
          <line x1={0} x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} className="stroke-line-strong" />
          {hovered !== null && (
            <line x1={x(hovered)} x2={x(hovered)} y1={0} y2={HEIGHT} className="stroke-line-strong" />
          )}
          {series.map((each, i) => (
            <g key={each.label} className={each.color}>
              {linesOf(points.map(({ values }) => values[i] ?? null)).map((line) =>
                line.length === 1 ? (
                  <circle
                    key={line[0]!.at}
                    cx={x(line[0]!.at)}
                    cy={y(line[0]!.value)}
                    r={2}
                    fill="currentColor"
                  />
                ) : (
                  <polyline
                    key={line[0]!.at}
                    points={line.map(({ at, value }) => `${x(at)},${y(value)}`).join(" ")}
                    fill="none"
                    stroke="currentColor"
                    strokeWidth={1.5}
                    strokeLinejoin="round"
                  />
                ),
              )}
            </g>
          ))}
          <AxisLabels
            from={points[0]?.start ?? 0}
            to={(points.at(-1)?.start ?? 0) + bucketMs}
            width={width}
          />
        </svg>
      </div>
      {point !== undefined && (
        <ChartTip
          from={point.start}
          to={point.start + bucketMs}
          lines={series.map((each, i) => ({
            label: each.label,
            color: each.color,
            text: point.values[i] == null ? "–" : format(point.values[i]),
          }))}
          mark="h-0.5 w-2"
          x={x(hovered!)}
          width={width}
        />
      )}
    </figure>
  );
}

/** The unbroken parts of a line. */
function linesOf(values: readonly (number | null)[]): { at: number; value: number }[][] {
  const lines: { at: number; value: number }[][] = [];
  let line: { at: number; value: number }[] = [];
  for (const [at, value] of values.entries()) {
    if (value !== null) line.push({ at, value });
    if (line.length > 0 && (value === null || at === values.length - 1)) {
      lines.push(line);
      line = [];
    }
  }
  return lines;
}
