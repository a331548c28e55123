import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { createRegistry } from "./instruments.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

let metrics: Metrics | undefined;
afterEach(() => metrics?.close());

test("counters show what was counted, by label", () => {
  metrics = createMetrics();
  metrics.eventsReceived.labels("key").inc(3);
  metrics.eventsReceived.labels("key").inc();
  metrics.requests.labels("/e/:key", 200).inc();
  metrics.requests.labels("/e/:key", 401).inc(2);
  metrics.eventsDuplicate.inc();
  const text = metrics.render();
  assert.match(text, /^svc_events_received_total\{source="key"\} 4$/m);
  assert.match(text, /^svc_requests_total\{route="\/e\/:key",status="200"\} 1$/m);
  assert.match(text, /^svc_requests_total\{route="\/e\/:key",status="401"\} 2$/m);
  assert.match(text, /^svc_events_duplicate_total 1$/m);
});

test("histogram buckets add up, and a value on a bound falls under it", () => {
  const registry = createRegistry("t_");
  const histogram = registry.histogram("seconds", "Help.", [1, 5]);
  for (const value of [0.5, 1, 3, 5, 9]) histogram.observe(value);
  assert.equal(
    registry.render(),
    `# HELP t_seconds Help.
# TYPE t_seconds histogram
t_seconds_bucket{le="1"} 2
t_seconds_bucket{le="5"} 4
t_seconds_bucket{le="+Inf"} 5
t_seconds_sum 18.5
t_seconds_count 5
`,
  );
});

test("the queue depth is asked for only when the metrics are read", () => {
  metrics = createMetrics();
  let asked = 0;
  metrics.setQueueDepth(() => {
    asked++;
    return 42;
  });
  assert.equal(asked, 0);
  assert.match(metrics.render(), /^svc_queue_depth 42$/m);
});

test("every line is a comment or a sample of the text format", () => {
  metrics = createMetrics();
  metrics.requests.labels('odd "route"\\\n', 200).inc();
  for (const line of metrics.render().trimEnd().split("\n")) {
    assert.match(line, /^(# (HELP|TYPE) svc_\w+ .+|svc_\w+(\{(\w+="([^"\\\n]|\\.)*",?)+\})? -?\d[\d.e+-]*)$/);
  }
});

test("process readings are there and plausible", () => {
  metrics = createMetrics();
  const text = metrics.render();
  assert.ok(Number(/^svc_process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]) > 10_000_000);
  assert.ok(Number(/^svc_process_cpu_seconds_total ([\d.]+)$/m.exec(text)?.[1]) > 0);
  assert.match(text, /^svc_event_loop_lag_seconds\{quantile="0.99"\} [\d.e-]+$/m);
});

test("label values without end share one series instead of filling the memory", () => {
  const registry = createRegistry("t_");
  const counter = registry.labelledCounter("hits", "Help.", ["a", "b"]);
  for (let i = 0; i < 5_000; i++) counter.labels(`a${i}`, `b${i}`).inc();
  const lines = registry.render().trim().split("\n");
  assert.equal(lines.length, 2 + 501);
  assert.equal(lines.at(-1), 't_hits{a="other",b="other"} 4500');
  counter.labels("a0", "b0").inc();
  assert.match(registry.render(), /^t_hits\{a="a0",b="b0"\} 2$/m);
});

test("a million increments take a blink", () => {
  metrics = createMetrics();
  const started = performance.now();
  for (let i = 0; i < 1e6; i++) metrics.requests.labels("/e/:key", 200).inc();
  // 30 ns each on a laptop; the bound only catches a change of order.
  assert.ok(performance.now() - started < 1_000);
});
