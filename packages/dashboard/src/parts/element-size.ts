import { useLayoutEffect, useState } from "react";

/**
 * Width of an element, px, as it changes; 0 before it is drawn.
 * @returns what the element takes as its ref, and the width
 */
export function useWidth(): [(element: HTMLElement | null) => void, number] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, width];
}

/** Whether the window is at least this wide, px. */
export function useWindowWiderThan(px: number): boolean {
  const [wide, setWide] = useState(() => window.innerWidth >= px);
  useLayoutEffect(() => {
    const media = window.matchMedia(`(min-width: ${px}px)`);
    const update = () => setWide(media.matches);
    update();
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, [px]);
  return wide;
}
