/** Removes what is over age, in small steps that never hold up ingestion. */
import { encodeUlid } from "@svc/protocol";
import type { Clock } from "../clock.ts";
import type { Logger } from "../observe/log.ts";
import type { PurgeResult } from "./commands/purge.ts";
import type { Store } from "./store.ts";

export interface RetentionOptions {
  store: Store;
  clock: Clock;
  logger: Logger;
  /** Age after which events, their runs, and requests of webhooks are removed, ms. */
  retentionMs: number;
  /** Size of the store past which the oldest are removed, bytes; null: no bound. */
  retentionBytes: number | null;
  /** Age after which entries of the audit log are removed, ms. */
  auditRetentionMs: number;
}

/** How much was removed. */
export interface Removed {
  events: number;
  runs: number;
  /** Of deduplication. */
  ids: number;
  /** Of webhooks. */
  requests: number;
}

export interface Retention {
  /** Remove everything that is over age or over size now. */
  sweep(): Promise<Removed>;
  stop(): void;
}

/** Rows a step removes at most: about 5 ms of the writer's time. */
const STEP = 200;
/** Pause between sweeps, and between the steps of one, ms. */
const SWEEP_EVERY_MS = 60_000;
const STEP_PAUSE_MS = 5;
const HOUR_MS = 3_600_000;

/** Start sweeping in the background. */
export function startRetention(options: RetentionOptions): Retention {
  const { store, clock, logger, retentionMs, retentionBytes, auditRetentionMs } = options;
  let stopped = false;
  let cancel = () => {};

  const pause = () => new Promise<void>((resolve) => clock.after(STEP_PAUSE_MS, resolve));

  const removeBetween = async (env: string, from: number, before: number, removed: Removed) => {
    let after: PurgeResult["next"] = { receivedAt: from, id: "" };
    while (after !== null && !stopped) {
      const step: PurgeResult = await store.execute("purge", {
        env,
        before,
        after,
        limit: STEP,
      });
      removed.events += step.events;
      removed.runs += step.runs;
      after = step.next;
      if (after !== null) await pause();
    }
  };

  const removeRequests = async (before: number, removed: Removed) => {
    // Ids begin with the time of receipt: this is the smallest one of that moment.
    const beforeId = encodeUlid(Math.max(0, before), new Uint8Array(10));
    const beforeHour = Math.floor(before / HOUR_MS);
    for (let step = STEP; step === STEP && !stopped; ) {
      step = await store.execute("purgeWebhookRequests", { beforeId, beforeHour, limit: STEP });
      removed.requests += step;
      if (step === STEP) await pause();
    }
  };

  const removeOverSize = async (envs: string[], removed: Removed) => {
    if (retentionBytes === null || (await store.size()) <= retentionBytes) return;
    const now = clock.now();
    const spans: { env: string; from: number; step: number }[] = [];
    for (const env of envs) {
      const oldest = await store.query("oldestEvent", { env });
      if (oldest !== null) spans.push({ env, from: oldest, step: Math.ceil((now - oldest) / 100) + 1 });
    }
    const oldestRequest = await store.query("oldestWebhookRequest", {});
    const requests =
      oldestRequest === null
        ? null
        : { from: oldestRequest, step: Math.ceil((now - oldestRequest) / 100) + 1 };
    // A hundredth of the time they span at a time, each event looked at once: what is in flight has to stay.
    for (let part = 0; part < 100 && !stopped && (await store.size()) > retentionBytes; part++) {
      for (const span of spans) {
        await removeBetween(span.env, span.from, span.from + span.step, removed);
        span.from += span.step;
      }
      if (requests !== null) {
        requests.from += requests.step;
        await removeRequests(requests.from, removed);
      }
    }
  };

  const sweep = async () => {
    const removed: Removed = { events: 0, runs: 0, ids: 0, requests: 0 };
    for (let step = STEP; step === STEP && !stopped; ) {
      step = await store.execute("expireDeduplication", { now: clock.now(), limit: STEP });
      removed.ids += step;
      if (step === STEP) await pause();
    }
    for (let step = STEP; step === STEP && !stopped; ) {
      step = await store.execute("purgeAuditLog", { before: clock.now() - auditRetentionMs, limit: STEP });
      if (step === STEP) await pause();
    }
    const envs = await store.query("environments", {});
    for (const env of envs) await removeBetween(env, -1, clock.now() - retentionMs, removed);
    await removeRequests(clock.now() - retentionMs, removed);
    await removeOverSize(envs, removed);
    if (removed.events + removed.requests > 0) await store.shrink();
    return removed;
  };

  const again = () => {
    if (stopped) return;
    cancel = clock.after(SWEEP_EVERY_MS, () => {
      sweep()
        .then(({ events, runs, requests }) => {
          if (events + requests > 0) logger.info("removed what was over age", { events, runs, requests });
        })
        .catch((error) => {
          if (!stopped) logger.warn("retention could not do its work", { error });
        })
        .finally(again);
    });
  };
  again();

  return {
    sweep,
    stop() {
      stopped = true;
      cancel();
    },
  };
}
