/**
 * How the transform of each webhook has behaved lately: how long it takes, and whether it keeps running out of time or
 * memory. Then it is not called for a while, which it is told, instead of being given a second of a processor each time.
 */
import type { Clock } from "../../clock.ts";
import type { TransformErrorKind } from "./outcome.ts";
import type { Pace } from "./schedule.ts";

/** Calls that ran out, one after the other within so long, before a webhook is throttled. */
const STRIKES = 5;
const STRIKES_WITHIN_MS = 60_000;
/** How long at first; doubled each time that the call after it runs out again. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;

/** From this average on a webhook is slow: a batch of fast ones takes less altogether. */
const SLOW_MS = 20;
/** Weight of the last call in the average. */
const NEWEST = 0.2;
/** What a webhook is expected to take before it was ever called. */
const EXPECTED_MS = 0.5;

/** Webhooks remembered; those not heard of for longest are forgotten, and begin again. */
const MAX_WEBHOOKS = 10_000;

interface Record {
  version: number;
  /** A call of this version has ended. */
  known: boolean;
  averageMs: number;
  /** Times of the last calls that ran out; empty after one that did not. */
  strikes: number[];
  /** 0 when it is not throttled. */
  pauseMs: number;
  pausedUntil: number;
  /** One call was let through after the pause, and has not ended. */
  trying: boolean;
}

export interface Conduct {
  /** Whether a call may go ahead: null, or the time until which it may not (ms since the epoch). */
  admit(webhookId: string, version: number): number | null;
  /** When a webhook may be called again; null when now. Admits nothing. */
  pausedUntil(webhookId: string, version: number): number | null;
  averageMs(webhookId: string): number;
  /** In what company it waits. */
  paceOf(webhookId: string): Pace;
  /** A call was seen to take long before it ended. */
  tookLong(webhookId: string): void;
  /** A call that was admitted did not come about. */
  notCalled(webhookId: string): void;
  /** @param kind null when the call returned */
  ended(webhookId: string, version: number, kind: TransformErrorKind | null, durationMs: number): void;
}

export function createConduct(clock: Pick<Clock, "now">): Conduct {
  const records = new Map<string, Record>();

  const recordOf = (webhookId: string): Record => {
    let record = records.get(webhookId);
    if (record === undefined) {
      record = {
        version: 0,
        known: false,
        averageMs: EXPECTED_MS,
        strikes: [],
        pauseMs: 0,
        pausedUntil: 0,
        trying: false,
      };
      const [oldest] = records.keys();
      if (records.size >= MAX_WEBHOOKS && oldest !== undefined) records.delete(oldest);
    } else records.delete(webhookId);
    records.set(webhookId, record);
    return record;
  };

  const forgive = (record: Record) => {
    record.strikes = [];
    record.pauseMs = 0;
    record.trying = false;
  };

  return {
    admit(webhookId, version) {
      const record = recordOf(webhookId);
      if (record.version !== version) {
        record.version = version;
        record.known = false;
        forgive(record);
      }
      if (record.pauseMs === 0) return null;
      if (clock.now() < record.pausedUntil) return record.pausedUntil;
      if (record.trying) return clock.now() + 1_000;
      record.trying = true;
      return null;
    },
    pausedUntil(webhookId, version) {
      const record = records.get(webhookId);
      if (record === undefined || record.version !== version || record.pauseMs === 0) return null;
      return clock.now() < record.pausedUntil ? record.pausedUntil : null;
    },
    averageMs: (webhookId) => records.get(webhookId)?.averageMs ?? EXPECTED_MS,
    paceOf(webhookId) {
      const record = records.get(webhookId);
      if (record === undefined) return "new";
      return record.averageMs >= SLOW_MS ? "slow" : record.known ? "fast" : "new";
    },
    tookLong(webhookId) {
      const record = recordOf(webhookId);
      record.averageMs = Math.max(record.averageMs, 2 * SLOW_MS);
    },
    notCalled(webhookId) {
      const record = records.get(webhookId);
      if (record !== undefined) record.trying = false;
    },
    ended(webhookId, version, kind, durationMs) {
      const record = recordOf(webhookId);
      record.averageMs = record.averageMs * (1 - NEWEST) + durationMs * NEWEST;
      if (record.version !== version) return;
      record.known = true;
      if (kind !== "timeout" && kind !== "memory" && kind !== "crashed") {
        forgive(record);
        return;
      }
      record.averageMs = Math.max(record.averageMs, 2 * SLOW_MS);
      const now = clock.now();
      if (record.trying) {
        record.trying = false;
        record.pauseMs = Math.min(record.pauseMs * 2, LONGEST_PAUSE_MS);
        record.pausedUntil = now + record.pauseMs;
        return;
      }
      record.strikes = record.strikes.filter((at) => now - at < STRIKES_WITHIN_MS);
      record.strikes.push(now);
      if (record.strikes.length < STRIKES || record.pauseMs > 0) return;
      record.pauseMs = FIRST_PAUSE_MS;
      record.pausedUntil = now + FIRST_PAUSE_MS;
    },
  };
}
