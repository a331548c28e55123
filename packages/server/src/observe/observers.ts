/** What the parts tell of themselves, turned into metrics and live views. */
import type { EventFeed } from "../api/event-feed.ts";
import type { Clock } from "../clock.ts";
import type { IngestObserver } from "../ingest/ingest.ts";
import type { ExecutorObserver } from "../runs/executor-parts.ts";
import type { StoreObserver } from "../store/store.ts";
import type { ReceiverObserver } from "../webhooks/receiver.ts";
import type { SandboxObserver } from "../webhooks/sandbox/sandbox.ts";
import type { Logger } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** A store that refuses is logged once in this time, ms: it refuses everything that comes. */
const REFUSAL_LOG_MS = 10_000;

export function observeStore(metrics: Metrics, logger: Logger, clock: Clock): StoreObserver {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    refused(reason) {
      if (clock.now() - loggedAt < REFUSAL_LOG_MS) return;
      loggedAt = clock.now();
      logger.error("nothing can be stored durably: senders get 503 until that changes", { reason });
    },
    died(error) {
      // Nothing catches this, so the process ends and whoever runs it starts it again.
      throw error;
    },
    committed(commands, seconds) {
      metrics.commitBatchSize.observe(commands);
      metrics.commitSeconds.observe(seconds);
    },
  };
}

export function observeIngest(metrics: Metrics, feed: EventFeed, clock: Clock): IngestObserver {
  const fromKeys = metrics.eventsReceived.labels("key");
  return {
    received(env, source, events) {
      const counter = source.kind === "key" ? fromKeys : metrics.eventsReceived.labels(source.kind);
      counter.inc(events.length);
      if (feed.watched) feed.publish({ env, receivedAt: clock.now(), source, events });
    },
    duplicates: (count) => metrics.eventsDuplicate.inc(count),
  };
}

export function observeWebhooks(metrics: Metrics): ReceiverObserver & SandboxObserver {
  return {
    finished: (status) => metrics.webhookRequests.labels(status).inc(),
    ended(result, durationMs) {
      metrics.transforms.labels(result).inc();
      metrics.transformSeconds.observe(durationMs / 1_000);
    },
  };
}

export function observeExecutor(metrics: Metrics, feed: EventFeed, clock: Clock): ExecutorObserver {
  const fromService = metrics.eventsReceived.labels("service");
  return {
    runStarted: () => metrics.runsStarted.inc(),
    runEnded: (status) => metrics.runsEnded.labels(status).inc(),
    called(outcome, seconds) {
      metrics.appCalls.labels(outcome === "ops" ? "steps" : outcome).inc();
      metrics.appCallSeconds.observe(seconds);
    },
    emitted(env, functionId, event) {
      fromService.inc();
      const source = { kind: "service" as const, name: functionId };
      if (feed.watched) feed.publish({ env, receivedAt: clock.now(), source, events: [event] });
    },
  };
}
