/** Every metric of the service, by name. Prometheus reads them at `/metrics`. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type Counter, createRegistry, type Histogram, type Labelled } from "./instruments.ts";

export interface Metrics {
  /** source: key | webhook | step | api | service */
  eventsReceived: Labelled<Counter>;
  eventsDuplicate: Counter;
  /** route (the pattern, never the path), status */
  requests: Labelled<Counter>;
  runsStarted: Counter;
  /** status: completed | failed | cancelled | skipped */
  runsEnded: Labelled<Counter>;
  /** outcome: done | steps | error */
  appCalls: Labelled<Counter>;
  appCallSeconds: Histogram;
  /** status, as the inbox shows it */
  webhookRequests: Labelled<Counter>;
  /** result: returned, or why not */
  transforms: Labelled<Counter>;
  transformSeconds: Histogram;
  /** Commands in one commit of the store. */
  commitBatchSize: Histogram;
  commitSeconds: Histogram;
  /** Where the number of queue items comes from; asked only when the metrics are read. */
  setQueueDepth(read: () => number): void;
  /** The Prometheus text format, version 0.0.4. */
  render(): string;
  /** Stops watching the event loop. */
  close(): void;
}

/** `content-type` of what `render()` gives. */
export const METRICS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const LOOP_RESOLUTION_MS = 20;

/**
 * The metrics of one service.
 * @example
 * const metrics = createMetrics();
 * const accepted = metrics.eventsReceived.labels("key"); // once
 * accepted.inc(100); // per request
 */
export function createMetrics(): Metrics {
  const registry = createRegistry("svc_");
  let queueDepth = () => 0;
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();

  const metrics: Metrics = {
    eventsReceived: registry.labelledCounter("events_received_total", "Events made durable.", ["source"]),
    eventsDuplicate: registry.counter(
      "events_duplicate_total",
      "Events ignored because their id was seen before.",
    ),
    requests: registry.labelledCounter("requests_total", "HTTP requests answered.", ["route", "status"]),
    runsStarted: registry.counter("runs_started_total", "Runs created."),
    runsEnded: registry.labelledCounter("runs_ended_total", "Runs ended, by how.", ["status"]),
    appCalls: registry.labelledCounter("app_calls_total", "Calls to apps, by how they ended.", ["outcome"]),
    appCallSeconds: registry.histogram(
      "app_call_seconds",
      "Duration of calls to apps.",
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
    ),
    webhookRequests: registry.labelledCounter(
      "webhook_requests_total",
      "Requests to webhooks, by what became of them.",
      ["status"],
    ),
    transforms: registry.labelledCounter("transforms_total", "Transforms run, by how they ended.", [
      "result",
    ]),
    transformSeconds: registry.histogram(
      "transform_seconds",
      "Duration of transforms.",
      [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
    ),
    commitBatchSize: registry.histogram(
      "commit_batch_size",
      "Commands written by one commit of the store.",
      [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
    ),
    commitSeconds: registry.histogram(
      "commit_seconds",
      "Duration of the store's commits.",
      [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    ),
    setQueueDepth(read) {
      queueDepth = read;
    },
    render: () => registry.render(),
    close: () => void loop.disable(),
  };

  registry.reading("gauge", "queue_depth", "Queue items in memory: due soon or being called.", () =>
    queueDepth(),
  );
  registry.reading(
    "gauge",
    "event_loop_lag_seconds",
    "Time the event loop was late since the last reading.",
    () => {
      // The sampler counts its own period in: an idle loop shows 20 ms.
      const lag = (ns: number) => Math.max(0, (ns / 1e6 - LOOP_RESOLUTION_MS) / 1e3) || 0;
      const values: [string, number][] = [
        ['quantile="0.5"', lag(loop.percentile(50))],
        ['quantile="0.99"', lag(loop.percentile(99))],
        ['quantile="1"', lag(loop.max)],
      ];
      loop.reset();
      return values;
    },
  );
  registry.reading("gauge", "process_resident_memory_bytes", "Memory of the process.", () =>
    process.memoryUsage.rss(),
  );
  registry.reading("gauge", "process_heap_used_bytes", "JavaScript heap in use.", () => {
    return process.memoryUsage().heapUsed;
  });
  registry.reading("counter", "process_cpu_seconds_total", "User and system time of the process.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const startedAt = Date.now() / 1e3 - process.uptime();
  registry.reading(
    "gauge",
    "process_start_time_seconds",
    "When the process started, unix time.",
    () => startedAt,
  );
  return metrics;
}
