/** What the parts tell of themselves, turned into metrics and live views. */
import type { EventFeed } from "../api/event-feed.ts";
import type { Clock } from "../clock.ts";
import type { IngestObserver } from "../ingest/ingest.ts";
import type { ExecutorObserver } from "../runs/executor-parts.ts";
import type { StoreObserver } from "../store/store.ts";
import type { Metrics } from "./metrics.ts";

export function observeStore(metrics: Metrics): StoreObserver {
  return {
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

export function observeExecutor(metrics: Metrics, feed: EventFeed, clock: Clock): ExecutorObserver {
  return {
    runStarted: () => metrics.runsStarted.inc(),
    runEnded: (status) => metrics.runsEnded.labels(status).inc(),
    called(outcome, seconds) {
      metrics.appCalls.labels(outcome === "ops" ? "steps" : outcome).inc();
      metrics.appCallSeconds.observe(seconds);
    },
    emitted(env, functionId, event) {
      const source = { kind: "service" as const, name: functionId };
      if (feed.watched) feed.publish({ env, receivedAt: clock.now(), source, events: [event] });
    },
  };
}
