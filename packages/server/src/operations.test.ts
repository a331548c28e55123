import assert from "node:assert/strict";
import { test } from "node:test";
import { createUlidGenerator, hashStepId } from "@svc/protocol";
import { runHarness } from "../test/run-harness.ts";
import { done, scriptedApp, steps } from "../test/scripted-app.ts";
import { systemClock } from "./clock.ts";
import type { EventSource } from "./ingest/ingest.ts";
import { createOperations, type OperationParts } from "./operations.ts";
import type { AcceptedEvent } from "./store/commands/accept-events.ts";
import { openSqlite } from "./store/sqlite/open.ts";
import type { Store } from "./store/store.ts";

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

test("reruns that take over much are copied one after the other, and read none of it", async (t) => {
  const real = await openSqlite({ dataDir: null, now: Date.now });
  const [copies, most] = [{ underWay: 0 }, { underWay: 0 }];
  const store: Store = {
    ...real,
    async execute(name, args) {
      if (name !== "createRun") return real.execute(name, args);
      copies.underWay++;
      most.underWay = Math.max(most.underWay, copies.underWay);
      return real.execute(name, args).finally(() => copies.underWay--);
    },
  };
  const large = [1, 2, 3].map((n) => hashStepId(`large ${n}`));
  const app = await scriptedApp(({ body }) => {
    // So large a state is not in the body.
    const missing = large.find((id) => !body.ctx.stack.stack.includes(id));
    return missing === undefined
      ? done("ok")
      : steps({ id: missing, op: "StepRun", data: "x".repeat(3_000_000) });
  });
  const runs = await runHarness({ appUrl: app.url, store });
  t.after(app.close);
  t.after(() => runs.close());
  const old = await runs.send();
  assert.equal((await runs.finished(old)).run.output, '"ok"');

  const read: string[] = [];
  const operations = createOperations({
    store: {
      ...store,
      query(name, args, lane) {
        read.push(name);
        return real.query(name, args, lane);
      },
    } satisfies Store,
    registry: { find: (_env: string, id: string) => runs.functions.get(id) },
    executor: runs.executor,
    clock: systemClock,
    nextId: createUlidGenerator(),
  } as unknown as OperationParts);
  const reruns = await Promise.all(
    Array.from({ length: 4 }, () => operations.rerun("dev", old, "completed")),
  );
  assert.equal(most.underWay, 1);
  assert.deepEqual(new Set(read), new Set(["findRerun"]));
  for (const id of reruns) assert.equal((await runs.finished(id!)).run.output, '"ok"');
});
