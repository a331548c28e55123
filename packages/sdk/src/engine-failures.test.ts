import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../test/app.ts";
import { NonRetriableError, RetryAfterError, StepError } from "./index.ts";

test("Promise.allSettled sees the failed step among the finished ones", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      const results = await Promise.allSettled([
        step.run("good", () => 1),
        step.run("bad", () => {
          throw new NonRetriableError("no");
        }),
      ]);
      return results.map((r) => (r.status === "fulfilled" ? r.value : (r.reason as Error).message));
    }),
  ]);
  assert.deepEqual((await app.run("f")).output, [1, "no"]);
});

test("a failing step is tried again, then its error can be caught as a StepError", async (t) => {
  let tries = 0;
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step, attempt, maxAttempts }) => {
      try {
        await step.run("boom", () => {
          tries++;
          throw new TypeError("always");
        });
      } catch (error) {
        assert.ok(error instanceof StepError);
        return [error.name, error.message, error.stepId, attempt, maxAttempts];
      }
    }),
  ]);
  const run = await app.run("f", {}, { maxAttempts: 3 });
  assert.deepEqual(run.output, ["TypeError", "always", "boom", 0, 3]);
  assert.equal(tries, 3);
  assert.deepEqual(
    run.calls.map((call) => [call.ops?.[0]?.op, call.headers.get("x-svc-no-retry")]),
    [
      ["StepError", "false"],
      ["StepError", "false"],
      ["StepFailed", "true"],
      [undefined, null],
    ],
  );
});

test("attempts count anew for a step after one that was kept in the same call", async (t) => {
  let first = 0;
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      await step.run("flaky", () => {
        if (first++ === 0) throw new Error("once");
      });
      await step.run("boom", () => {
        throw new Error("at first");
      });
    }),
  ]);
  const run = await app.run("f", {}, { maxAttempts: 2 });
  // The second call is attempt 1 of 2, but for "boom" it is the first one.
  assert.deepEqual(
    run.calls.map((call) => call.ops?.[0]?.op),
    ["StepError", "StepError", "StepFailed", undefined],
  );
});

test("a non-retriable error in a step fails it at once; uncaught, it ends the run", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      await step.run("boom", () => {
        throw new NonRetriableError("never");
      });
    }),
  ]);
  const run = await app.run("f");
  assert.equal(run.calls[0]!.ops![0]!.op, "StepFailed");
  assert.equal(run.calls[1]!.status, 400);
  assert.equal(run.calls.length, 2);
  assert.equal(run.error!.message, "never");
});

test("RetryAfterError chooses the next attempt, in steps and in functions", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "step" }, "test/event", ({ step }) =>
      step.run("wait", () => {
        throw new RetryAfterError("later", "90s");
      }),
    ),
    c.createFunction({ id: "fn" }, "test/event", () => {
      throw new RetryAfterError("later", new Date("2030-01-01T00:00:00Z"));
    }),
  ]);
  const inStep = await app.run("step");
  assert.equal(inStep.calls[0]!.headers.get("retry-after"), "90");
  const inFunction = await app.run("fn");
  assert.equal(inFunction.calls[0]!.status, 500);
  assert.equal(inFunction.calls[0]!.headers.get("retry-after"), "2030-01-01T00:00:00.000Z");
});

test("a function that throws answers 500 and is tried again, 400 when that is pointless", async (t) => {
  let calls = 0;
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "flaky" }, "test/event", ({ attempt }) => {
      if (calls++ < 2) throw new Error(`attempt ${attempt}`);
      return attempt;
    }),
    c.createFunction({ id: "never" }, "test/event", () => {
      throw new NonRetriableError("no");
    }),
  ]);
  const flaky = await app.run("flaky");
  assert.deepEqual(
    flaky.calls.map((call) => call.status),
    [500, 500, 200],
  );
  assert.equal(flaky.output, 2);
  assert.equal(flaky.calls[0]!.headers.get("x-svc-no-retry"), "false");
  const never = await app.run("never");
  assert.deepEqual([never.calls.length, never.calls[0]!.status], [1, 400]);
  assert.equal(never.calls[0]!.headers.get("x-svc-no-retry"), "true");
  assert.deepEqual([never.error!.name, never.error!.message], ["NonRetriableError", "no"]);
});

test("throwing something that is not an error is reported, not crashed on", async (t) => {
  const thrown: unknown[] = [
    "text",
    undefined,
    null,
    7,
    { message: "object" },
    { a: 1n },
    Object.create(null),
  ];
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ event, step }) => {
      if (event.data.inStep) await step.run("s", () => Promise.reject(thrown[event.data.i]));
      throw thrown[event.data.i];
    }),
  ]);
  for (const inStep of [false, true]) {
    for (const i of thrown.keys()) {
      const run = await app.run("f", { i, inStep }, { maxAttempts: 1 });
      assert.equal(run.status, "failed");
      assert.equal(typeof run.error!.message, "string", `${i}`);
    }
  }
});

test("a result that is not JSON fails its step without retries and names it", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "big" }, "test/event", ({ step }) => step.run("count", () => 10n)),
    c.createFunction({ id: "cycle" }, "test/event", () => {
      const cycle: Record<string, unknown> = {};
      cycle.self = cycle;
      return cycle;
    }),
  ]);
  const big = await app.run("big");
  assert.equal(big.calls[0]!.ops![0]!.op, "StepFailed");
  assert.match(big.error!.message, /Step "count" returned a value that is not JSON: .*BigInt/);
  const cycle = await app.run("cycle");
  assert.equal(cycle.calls[0]!.status, 400);
  assert.match(cycle.error!.message, /The function returned a value that is not JSON/);
});

test("a time to sleep that means nothing fails the run with the step's name", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", ({ step }) => step.sleep("nap", "soon")),
    c.createFunction({ id: "g" }, "test/event", ({ step }) => step.sleepUntil("nap", "soon")),
  ]);
  for (const id of ["f", "g"]) {
    const run = await app.run(id);
    assert.equal(run.calls.length, 1);
    assert.match(run.error!.message, /Step "nap": the time to sleep must be/);
  }
});

test("a step inside a step is refused with both names", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", ({ step }) =>
      step.run("outer", async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return step.run("inner", () => 1);
      }),
    ),
  ]);
  const run = await app.run("f");
  assert.equal(run.calls[0]!.ops![0]!.op, "StepFailed");
  assert.match(run.error!.message, /Step "inner" was started inside step "outer"/);
});
