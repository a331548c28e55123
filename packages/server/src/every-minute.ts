/** Work that is done once a minute in the background, never twice at a time. */
import type { Clock } from "./clock.ts";

export interface EveryMinute {
  /** Do it now as well, after what is under way. */
  now(): Promise<void>;
  /** Resolves when what is under way has ended; nothing more is begun. */
  stop(): Promise<void>;
}

const MINUTE_MS = 60_000;

/**
 * Start it; the first time is in a minute. What fails is tried again a minute later.
 * @param failed told of what went wrong, unless it is being stopped
 */
export function everyMinute(
  clock: Clock,
  work: () => Promise<void>,
  failed: (error: unknown) => void,
): EveryMinute {
  let stopped = false;
  let cancel = () => {};
  let underWay: Promise<void> = Promise.resolve();

  const now = () => {
    underWay = underWay.catch(() => {}).then(work);
    return underWay;
  };
  const again = () => {
    if (stopped) return;
    cancel = clock.after(MINUTE_MS, () => {
      now()
        .catch((error) => {
          if (!stopped) failed(error);
        })
        .finally(again);
    });
  };
  again();

  return {
    now,
    async stop() {
      stopped = true;
      cancel();
      await underWay.catch(() => {});
    },
  };
}
