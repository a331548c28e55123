import { type PointerEvent, useState } from "react";
import { classNames } from "./class-names.ts";
import { useWidth } from "./element-size.ts";

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
          {width > 0 &&
            axisLabels(buckets, width).map(({ x, text, anchor }) => (
              <text
                key={x}
                x={x}
                y={HEIGHT + AXIS - 3}
                textAnchor={anchor}
                className="tabular fill-muted text-[11px]"
              >
                {text}
              </text>
            ))}
        </svg>
      </div>
      {hovered !== null && buckets[hovered] !== undefined && (
        <BucketTip
          bucket={buckets[hovered]}
          bucketMs={bucketMs}
          series={series}
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

interface TipProps {
  bucket: Bucket;
  bucketMs: number;
  series: Series[];
  x: number;
  width: number;
}

export const TIP_PX = 200;
export const TIP_TIME = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

function BucketTip({ bucket, bucketMs, series, x, width }: TipProps) {
  const left = Math.min(Math.max(0, x - TIP_PX / 2), Math.max(0, width - TIP_PX));
  return (
    <div
      style={{ left, width: TIP_PX }}
      className="tabular pointer-events-none absolute top-full z-30 -mt-3 rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs"
    >
      <div className="mb-1 text-muted">{TIP_TIME.formatRange(bucket.start, bucket.start + bucketMs)}</div>
      {series.map((each, i) => (
        <div key={each.label} className="flex items-center gap-1.5">
          <i aria-hidden className={classNames("size-2 rounded-[2px] bg-current", each.color)} />
          <span className="flex-1">{each.label}</span>
          {bucket.values[i]!.toLocaleString()}
        </div>
      ))}
    </div>
  );
}

const HOURS = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAYS = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const LABEL_PX = 130;

/** The times below a chart, as many as have room. */
export function axisLabels(buckets: readonly { start: number }[], width: number) {
  if (buckets.length === 0) return [];
  const span = buckets.at(-1)!.start - buckets[0]!.start;
  const format = span > 2 * 86_400_000 ? DAYS : HOURS;
  const count = Math.max(2, Math.min(8, Math.floor(width / LABEL_PX)));
  return Array.from({ length: count }, (_, i) => {
    const at = Math.round((i / (count - 1)) * (buckets.length - 1));
    const anchor = i === 0 ? ("start" as const) : i === count - 1 ? ("end" as const) : ("middle" as const);
    return { x: (i / (count - 1)) * width, text: format.format(buckets[at]!.start), anchor };
  });
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
