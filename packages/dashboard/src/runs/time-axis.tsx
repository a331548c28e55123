import { type PointerEvent, useState } from "react";
import { type Tick, ticksOf } from "./timeline.ts";
import type { View, Zoom } from "./zoom.ts";

interface TimeAxisProps {
  zoom: Zoom;
  /** Beginning of the run: the axis counts from it, ms. */
  origin: number;
  /** px */
  width: number;
  timeAt(clientX: number): number;
}

/** px between two marks. */
const TICK_PX = 84;
/** A mark so near the end has no room for its text. */
const LABEL_PX = 52;
/** A shorter drag is a click. */
const LEAST_DRAG_PX = 6;

export function axisTicks(view: View, origin: number, width: number): Tick[] {
  const most = Math.max(2, Math.floor(width / TICK_PX));
  return ticksOf({ from: view.from - origin, to: view.to - origin }, most);
}

/** The marks above the rows. Dragging over them shows that part alone. */
export function TimeAxis({ zoom, origin, width, timeAt }: TimeAxisProps) {
  const [drag, setDrag] = useState<{ start: number; from: number; to: number } | null>(null);
  const { view } = zoom;
  const share = (at: number) => `${((at - view.from) / (view.to - view.from)) * 100}%`;
  const end = (event: PointerEvent<HTMLDivElement>) => {
    if (drag !== null && Math.abs(event.clientX - drag.start) >= LEAST_DRAG_PX) {
      zoom.show({ from: Math.min(drag.from, drag.to), to: Math.max(drag.from, drag.to) });
    }
    setDrag(null);
  };
  return (
    <div
      aria-hidden
      className="relative h-6 cursor-crosshair touch-none overflow-hidden select-none"
      onDoubleClick={zoom.fit}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = timeAt(event.clientX);
        setDrag({ start: event.clientX, from: at, to: at });
      }}
      onPointerMove={(event) => drag !== null && setDrag({ ...drag, to: timeAt(event.clientX) })}
      onPointerUp={end}
      onPointerCancel={() => setDrag(null)}
    >
      {axisTicks(view, origin, width).map(({ at, text }) => (
        <span
          key={at}
          style={{ left: share(at + origin) }}
          className="tabular absolute inset-y-0 border-l border-line pl-1 text-[11px] leading-6 whitespace-nowrap text-muted"
        >
          {((at + origin - view.from) / (view.to - view.from)) * width < width - LABEL_PX && text}
        </span>
      ))}
      {drag !== null && (
        <span
          style={{
            left: share(Math.min(drag.from, drag.to)),
            width: `${(Math.abs(drag.to - drag.from) / (view.to - view.from)) * 100}%`,
          }}
          className="absolute inset-y-0 bg-accent/25"
        />
      )}
    </div>
  );
}
