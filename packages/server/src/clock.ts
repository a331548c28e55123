/** Time as the service sees it: tests put in their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Call back after `ms`; returns what takes that back. A timer keeps no process alive. */
  after(ms: number, callback: () => void): () => void;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
