import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "./clock.ts";
import type { EventSource } from "./ingest/ingest.ts";
import { createOperations, type OperationParts } from "./operations.ts";
import type { AcceptedEvent } from "./store/commands/accept-events.ts";

test("an event that invokes a function is shown and counted like any other", async () => {
  const told: [EventSource, AcceptedEvent[]][] = [];
  const operations = createOperations({
    store: { execute: async () => null },
    registry: { find: () => ({ id: "app-fn", appId: "app" }) },
    executor: { accepted() {} },
    clock: systemClock,
    nextId: () => "id",
    observer: {
      received: (_env: string, source: EventSource, events: AcceptedEvent[]) => told.push([source, events]),
    },
  } as unknown as OperationParts);
  const { eventId } = await operations.invoke("dev", "app-fn", { n: 1 });
  const [source, events] = told[0]!;
  assert.deepEqual(source, { kind: "api", name: "invoke" });
  assert.deepEqual([events[0]![0], events[0]![4]], [eventId, '{"n":1}']);
});
