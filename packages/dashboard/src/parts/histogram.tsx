import { type PointerEvent, useState } from "react";
import { classNames } from "./class-names.ts";
import { useWidth } from "./element-size.ts";
import { timeTicks } from "./time-ticks.ts";

export interface Series {
  label: string;
  /** A class that sets the text colour: bars are filled with it. */
  color: string;
}

export interface Bucket {
  /** ms */
  start: number;
  /** One number per series, from the bottom up. */
  values: number[];
}

interface HistogramProps {
  /** What is counted, for those who listen. */
  label: string;
  series: Series[];
  buckets: readonly Bucket[];
  bucketMs: number;
  /** Called with the range that was dragged over; the same can be typed into the time range. */
  onSelect(range: { after: number; before: number }): void;
}

/** Of the bars and of the axis below them, px: charts beside each other are alike. */
export const HEIGHT = 72;
export const AXIS = 16;
const GAP = 1;

/** Stacked counts over time. Dragging selects a range; the numbers stand beside the names of the series. */
export function Histogram({ label, series, buckets, bucketMs, onSelect }: HistogramProps) {
  const [measure, width] = useWidth();
  const [hovered, setHovered] = useState<number | null>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const totals = series.map((_, i) => buckets.reduce((sum, { values }) => sum + values[i]!, 0));
  const highest = Math.max(1, ...buckets.map(({ values }) => sumOf(values)));
  const from = buckets[0]?.start ?? 0;
  const to = (buckets.at(-1)?.start ?? 0) + bucketMs;
  const slot = buckets.length === 0 ? 0 : width / buckets.length;
  const indexAt = (event: PointerEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    return Math.min(buckets.length - 1, Math.max(0, Math.floor((event.clientX - left) / slot)));
  };
  const chosen =
    drag === null ? null : { from: Math.min(drag.from, drag.to), to: Math.max(drag.from, drag.to) };
  const summary = series.map((each, i) => `${totals[i]} ${each.label}`).join(", ");

  return (
    <figure className="relative">
      <figcaption className="mb-1 flex flex-wrap items-baseline gap-x-4 text-xs text-muted">
        <span className="tabular">
          <b className="font-medium text-text">{sumOf(totals).toLocaleString()}</b> {label}
        </span>
        {series.map((each, i) => (
          <span key={each.label} className="tabular inline-flex items-baseline gap-1.5">
            <i aria-hidden className={classNames("size-2 rounded-[2px] bg-current", each.color)} />
            {totals[i]!.toLocaleString()} {each.label}
          </span>
        ))}
      </figcaption>
      <div ref={measure}>
        <svg
          role="img"
          aria-label={`${label}: ${summary}`}
          width={width}
          height={HEIGHT + AXIS}
          className="block cursor-crosshair touch-pan-y select-none"
          onPointerDown={(event) => {
            if (event.button !== 0 || buckets.length === 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            const at = indexAt(event);
            setDrag({ from: at, to: at });
          }}
          onPointerMove={(event) => {
            if (buckets.length === 0) return;
            const at = indexAt(event);
            setHovered(at);
            if (drag !== null) setDrag({ ...drag, to: at });
          }}
          onPointerLeave={() => setHovered(null)}
          onPointerCancel={() => setDrag(null)}
          onPointerUp={() => {
            setDrag(null);
            if (chosen === null || chosen.from === chosen.to) return;
            onSelect({ after: buckets[chosen.from]!.start, before: buckets[chosen.to]!.start + bucketMs });
          }}
        >
          <line x1={0} x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} className="stroke-line-strong" />
          {chosen !== null && (
            <rect
              x={chosen.from * slot}
              width={(chosen.to - chosen.from + 1) * slot}
              height={HEIGHT}
              className="fill-accent opacity-20"
            />
          )}
          {hovered !== null && drag === null && (
            <rect x={hovered * slot} width={slot} height={HEIGHT} className="fill-hover" />
          )}
          {buckets.map(({ start, values }, at) => (
            <Bar
              key={start}
              x={at * slot}
              width={Math.max(1, slot - GAP)}
              values={values}
              highest={highest}
              series={series}
            />
          ))}
          <AxisLabels from={from} to={to} width={width} />
        </svg>
      </div>
      {hovered !== null && buckets[hovered] !== undefined && (
        <ChartTip
          from={buckets[hovered].start}
          to={buckets[hovered].start + bucketMs}
          lines={series.map(({ label: name, color }, i) => ({
            label: name,
            color,
            text: buckets[hovered]!.values[i]!.toLocaleString(),
          }))}
          mark="size-2 rounded-[2px]"
          x={(hovered + 0.5) * slot}
          width={width}
        />
      )}
    </figure>
  );
}

interface BarProps {
  x: number;
  width: number;
  values: number[];
  highest: number;
  series: Series[];
}

function Bar({ x, width, values, highest, series }: BarProps) {
  let top = HEIGHT;
  return values.map((value, i) => {
    if (value === 0) return null;
    // One among ten thousand is still to be seen.
    const height = Math.max(2, (value / highest) * (HEIGHT - 4));
    top -= height;
    return (
      <rect
        key={series[i]!.label}
        x={x}
        y={top}
        width={width}
        height={height}
        fill="currentColor"
        className={series[i]!.color}
      />
    );
  });
}

const TIP_PX = 200;
const TIP_TIME = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

interface ChartTipProps {
  /** The part of the axis it is about, ms. */
  from: number;
  to: number;
  lines: { label: string; color: string; text: string }[];
  /** Height of the mark before each line: a square, or a dash for lines. */
  mark: "size-2 rounded-[2px]" | "h-0.5 w-2";
  /** Middle of that part, and width of the chart, px. */
  x: number;
  width: number;
}

/** What a chart shows where the pointer is. */
export function ChartTip({ from, to, lines, mark, x, width }: ChartTipProps) {
  const left = Math.min(Math.max(0, x - TIP_PX / 2), Math.max(0, width - TIP_PX));
  return (
    <div
      style={{ left, width: TIP_PX }}
      className="tabular pointer-events-none absolute top-full z-30 -mt-3 rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs"
    >
      <div className="mb-1 text-muted">{TIP_TIME.formatRange(from, to)}</div>
      {lines.map(({ label, color, text }) => (
        <div key={label} className="flex items-center gap-1.5">
          <i aria-hidden className={classNames("bg-current", mark, color)} />
          <span className="flex-1">{label}</span>
          {text}
        </div>
      ))}
    </div>
  );
}

const LABEL_PX = 96;
/** Half of a label: so near an edge it would be cut off in the middle of its mark. */
const HALF_PX = 24;

/** The times below a chart, at round moments, as many as have room. */
export function AxisLabels({ from, to, width }: { from: number; to: number; width: number }) {
  if (width === 0 || to <= from) return null;
  return timeTicks(from, to, Math.max(3, Math.floor(width / LABEL_PX))).map(({ at, text }) => {
    const x = ((at - from) / (to - from)) * width;
    return (
      <text
        key={at}
        x={x}
        y={HEIGHT + AXIS - 3}
        textAnchor={x < HALF_PX ? "start" : x > width - HALF_PX ? "end" : "middle"}
        className="tabular fill-muted text-[11px]"
      >
        {text}
      </text>
    );
  });
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
