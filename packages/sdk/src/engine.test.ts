import assert from "node:assert/strict";
import { test } from "node:test";
import { hashStepId } from "@svc/protocol";
import { startApp } from "../test/app.ts";

const plain = { checkpointing: false };

test("a function without steps answers 200 with its result", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", ({ event }) => ({ got: event.data.x })),
  ]);
  const run = await app.run("f", { x: 1 });
  assert.deepEqual(run.output, { got: 1 });
  assert.equal(run.calls.length, 1);
  assert.equal(run.calls[0]!.status, 200);
});

test("without checkpointing each step costs one call and runs once", async (t) => {
  const ran: string[] = [];
  const app = await startApp(
    t,
    (c) => [
      c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
        const a = await step.run("a", () => ran.push("a") && 1);
        const b = await step.run("b", () => ran.push("b") && a + 1);
        return [a, b];
      }),
    ],
    plain,
  );
  const run = await app.run("f");
  assert.deepEqual(run.output, [1, 2]);
  assert.deepEqual(ran, ["a", "b"]);
  assert.deepEqual(
    run.calls.map((call) => call.ops?.map((op) => op.op) ?? call.status),
    [["StepRun"], ["StepRun"], 200],
  );
  assert.equal(run.calls[0]!.ops![0]!.id, hashStepId("a"));
});

test("with checkpointing several steps cost one call, which ends with RunComplete", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      const a = await step.run("a", () => 1);
      const b = await step.run("b", async () => a + 1);
      return { a, b };
    }),
  ]);
  const run = await app.run("f");
  assert.deepEqual(run.output, { a: 1, b: 2 });
  assert.equal(run.calls.length, 1);
  assert.equal(run.calls[0]!.ops![0]!.op, "RunComplete");
  assert.deepEqual(
    run.checkpoints.map((op) => [op.op, op.name, op.data]),
    [
      ["StepRun", "a", 1],
      ["StepRun", "b", 2],
    ],
  );
  const { steps: _, ...post } = app.service.checkpointPosts[0]!;
  assert.deepEqual(post, {
    run_id: run.runId,
    fn_id: "app-f",
    qi_id: "item",
    request_id: "request",
    generation_id: 1,
  });
});
