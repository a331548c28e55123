/** A clock that stands still until a test moves it. */
import type { Clock } from "../src/clock.ts";

export interface ManualClock extends Clock {
  /** Let time pass; what falls due in it is called, in order. */
  advance(ms: number): void;
  /** Put the clock ahead, as people and time servers do: timers wait for as long as before. */
  jump(ms: number): void;
}

export function manualClock(start: number): ManualClock {
  let now = start;
  const timers = new Set<{ at: number; callback: () => void }>();
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = until;
    },
    jump(ms) {
      now += ms;
      for (const timer of timers) timer.at += ms;
    },
  };
}
