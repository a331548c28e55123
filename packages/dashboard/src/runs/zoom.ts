/** The part of a time axis that is in sight, and what moves it. */
import { useEffect, useState } from "react";

export interface View {
  from: number;
  to: number;
}

/** Nothing is to be seen closer than this, ms. */
const LEAST_MS = 2;
const STEP = 2;

export interface Zoom {
  view: View;
  zoomed: boolean;
  /** Show a part. */
  show(view: View): void;
  /** @param by 2 shows half as much @param at stays where it is; the middle if not given */
  zoom(by: number, at?: number): void;
  /** Move by a share of what is in sight. */
  pan(share: number): void;
  /** Show everything, and whatever comes. */
  fit(): void;
}

/** A view of `all`; while it is not zoomed it grows with it. */
export function useZoom(all: View): Zoom {
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen ?? all;
  const show = (next: View) => setChosen(within(next, all));
  const zoom = (by: number, at = (view.from + view.to) / 2) =>
    show({ from: at - (at - view.from) / by, to: at + (view.to - at) / by });
  const pan = (share: number) => {
    if (chosen === null) return;
    const by = share * (view.to - view.from);
    const bounded = Math.max(all.from - view.from, Math.min(all.to - view.to, by));
    show({ from: view.from + bounded, to: view.to + bounded });
  };
  return { view, zoomed: chosen !== null, show, zoom, pan, fit: () => setChosen(null) };
}

/** As much of a view as there is; null when that is everything. */
export function within(view: View, all: View): View | null {
  const length = Math.max(LEAST_MS, view.to - view.from);
  if (length >= all.to - all.from) return null;
  const from = Math.max(all.from, Math.min(all.to - length, view.from));
  return { from, to: from + length };
}

export const ZOOM_STEP = STEP;

/** Zooming and moving with the wheel: with Ctrl (or two fingers) it zooms, sideways it moves. */
export function useWheelZoom(
  element: HTMLElement | null,
  zoom: Zoom,
  timeAt: (clientX: number) => number,
): void {
  useEffect(() => {
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        zoom.zoom(Math.exp(-event.deltaY / 200), timeAt(event.clientX));
      } else if (zoom.zoomed && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) {
        event.preventDefault();
        zoom.pan((event.deltaX || event.deltaY) / 600);
      }
    };
    // React listens passively, and then the page would be zoomed.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  });
}
