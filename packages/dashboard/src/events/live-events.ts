/** Events as they come, held back while the reader looks at something else. */
import { useEffect, useRef, useState } from "react";
import type { EventFilter } from "../api/events.ts";
import { watch } from "../api/live.ts";
import type { EventRow } from "../api/types.ts";
import { environment } from "../place.ts";
import { MAX_KEPT } from "./merge-events.ts";

/** Pause in which events that come are gathered: a burst is one change of the page. */
const GATHER_MS = 120;
/** How long a row counts as new, ms. */
const NEW_MS = 900;

export interface LiveEvents {
  /** Newest first. */
  shown: EventRow[];
  /** Held back, newest first. */
  held: EventRow[];
  connected: boolean;
  /** When the stream opened, by `performance.now()`; null while it is not open. */
  openedAt: number | null;
  /** Show what was held back. */
  release(): void;
  isNew(event: EventRow): boolean;
}

interface Kept {
  shown: EventRow[];
  waiting: EventRow[];
}

const NOTHING: Kept = { shown: [], waiting: [] };

/**
 * @param on whether to watch at all
 * @param paused whether to hold back what comes
 */
export function useLiveEvents(filter: EventFilter, on: boolean, paused: boolean): LiveEvents {
  const [kept, setKept] = useState(NOTHING);
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  const isPaused = useRef(paused);
  isPaused.current = paused;
  const newSince = useRef(new Map<string, number>());
  const key = JSON.stringify([environment(), filter]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that matters of the filter
  useEffect(() => {
    setKept(NOTHING);
    if (!on) return;
    let gathered: EventRow[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = () => {
      timer = undefined;
      const came = gathered.reverse();
      gathered = [];
      setKept((before) => {
        if (isPaused.current) return { ...before, waiting: [...came, ...before.waiting].slice(0, MAX_KEPT) };
        markNew(newSince.current, came);
        return { ...before, shown: [...came, ...before.shown].slice(0, MAX_KEPT) };
      });
    };
    const stop = watch({
      path: "v1/events/stream",
      query: { ...filter, fields: "summary" },
      onState: (open) => setOpenedAt(open ? performance.now() : null),
      onMessage(data) {
        gathered.push(data as EventRow);
        if (gathered.length > MAX_KEPT) gathered.shift();
        timer ??= setTimeout(take, GATHER_MS);
      },
    });
    return () => {
      stop();
      clearTimeout(timer);
      setOpenedAt(null);
    };
  }, [key, on]);

  const release = () =>
    setKept(({ shown, waiting }) => {
      markNew(newSince.current, waiting);
      return { shown: [...waiting, ...shown].slice(0, MAX_KEPT), waiting: [] };
    });

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of a pause matters
  useEffect(() => {
    if (!paused && kept.waiting.length > 0) release();
  }, [paused]);

  return {
    shown: kept.shown,
    held: kept.waiting,
    connected: openedAt !== null,
    openedAt,
    release,
    isNew: (event) => performance.now() - (newSince.current.get(event.id) ?? -NEW_MS) < NEW_MS,
  };
}

function markNew(since: Map<string, number>, events: readonly EventRow[]): void {
  const now = performance.now();
  for (const [id, at] of since) if (now - at > NEW_MS) since.delete(id);
  for (const { id } of events) since.set(id, now);
}
