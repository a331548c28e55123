import assert from "node:assert/strict";
import { test } from "node:test";
import { hashStepId } from "@svc/protocol";
import { startApp } from "../test/app.ts";
import { execute } from "./engine.ts";

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

test("parallel steps are planned together, run one call each, and joined once", async (t) => {
  const ran: string[] = [];
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      const [a, b] = await Promise.all([
        step.run("a", () => ran.push("a") && "A"),
        step.run("b", () => ran.push("b") && "B"),
      ]);
      return `${a}${b}${await step.run("join", () => "!")}`;
    }),
  ]);
  const run = await app.run("f");
  assert.equal(run.output, "AB!");
  assert.deepEqual(ran, ["a", "b"]);
  assert.deepEqual(
    run.calls[0]!.ops!.map((op) => [op.op, op.name]),
    [
      ["StepPlanned", "a"],
      ["StepPlanned", "b"],
    ],
  );
  assert.equal(run.calls[1]!.stepId, hashStepId("a"));
  assert.deepEqual(
    run.calls[1]!.ops!.map((op) => [op.op, op.data]),
    [["StepRun", "A"]],
  );
});

test("a lone step is planned, not run, when immediate execution is not allowed", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => step.run("a", () => 1)),
  ]);
  const run = await app.run("f", {}, { planAll: true });
  assert.equal(run.output, 1);
  assert.deepEqual(
    run.calls.map((call) => call.ops?.[0]?.op),
    ["StepPlanned", "StepRun", undefined],
  );
  assert.equal(app.service.checkpointPosts.length, 0);
});

test("a race is won by the step that finished first, on every replay", async (t) => {
  const app = await startApp(
    t,
    (c) => [
      c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
        const order: string[] = [];
        const note = (value: string): string => {
          order.push(value);
          return value;
        };
        const winner = await Promise.race([
          step.run("a", () => "a").then(note),
          step.run("b", () => "b").then(note),
        ]);
        const after = await step.run("after", () => `after ${winner}`);
        return { winner, after, order };
      }),
    ],
    plain,
  );
  // The second of the planned steps is called first.
  const run = await app.run("f", {}, { pick: (planned) => planned.length - 1 });
  const output = run.output as { winner: string; after: string; order: string[] };
  assert.equal(output.winner, "b");
  assert.equal(output.after, "after b");
  assert.equal(output.order[0], "b");
});

test("memoised steps settle in the order of the stack, not of the code", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      const order: unknown[] = [];
      await Promise.all(["a", "b", "c"].map((id) => step.run(id, () => id).then((v) => order.push(v))));
      return order;
    }),
  ]);
  const ids = ["c", "a", "b"];
  const run = await app.run(
    "f",
    {},
    {
      steps: Object.fromEntries(ids.map((id) => [hashStepId(id), { data: id }])),
      stack: ids.map((id) => hashStepId(id)),
    },
  );
  assert.deepEqual(run.output, ids);
  assert.equal(run.calls.length, 1);
});

test("branches that each have several steps go on independently", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      const branch = async (name: string): Promise<number> => {
        const one = await step.run(`${name} 1`, () => 1);
        await step.sleep(`${name} nap`, "1s");
        return one + (await step.run(`${name} 2`, () => 1));
      };
      return Promise.all([branch("x"), branch("y"), branch("z")]);
    }),
  ]);
  assert.deepEqual((await app.run("f")).output, [2, 2, 2]);
});

test("undefined becomes null, and the first run sees what replays see", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => [
      (await step.run("nothing", () => undefined)) === null,
      await step.run("date", () => new Date(0)),
      await step.run("odd", () => ({ skipped: undefined, nan: Number.NaN })),
    ]),
    c.createFunction({ id: "void" }, "test/event", () => {}),
  ]);
  assert.deepEqual((await app.run("f")).output, [true, "1970-01-01T00:00:00.000Z", { nan: null }]);
  assert.equal((await app.run("void")).output, null);
});

test("sleeps are carried out by the service and told as time strings or dates", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      await step.sleep("a", 1500);
      await step.sleep("b", "2h45m");
      await step.sleepUntil("c", new Date(0));
      await step.sleepUntil("d", "2030-01-01");
      await step.sleepUntil("e", 86_400_000);
      return "awake";
    }),
  ]);
  const run = await app.run("f");
  assert.equal(run.output, "awake");
  assert.deepEqual(
    run.calls.slice(0, -1).map((call) => [call.ops![0]!.op, call.ops![0]!.name, call.ops![0]!.displayName]),
    [
      ["Sleep", "1500ms", "a"],
      ["Sleep", "2h45m", "b"],
      ["Sleep", "1970-01-01T00:00:00.000Z", "c"],
      ["Sleep", "2030-01-01T00:00:00.000Z", "d"],
      ["Sleep", "1970-01-02T00:00:00.000Z", "e"],
    ],
  );
});

test("a repeated step id is counted, whatever other ids look like", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      const results: number[] = [];
      for (const [i, id] of ["a", "a", "a:1", "a"].entries()) results.push(await step.run(id, () => i));
      return results;
    }),
  ]);
  const run = await app.run("f");
  assert.deepEqual(run.output, [0, 1, 2, 3]);
  assert.equal(run.checkpoints[1]!.id, hashStepId("a", 1));
  assert.deepEqual(run.checkpoints[1]!.userland, { id: "a", index: 1 });
  assert.equal(new Set(run.checkpoints.map((op) => op.id)).size, 4);
});

test("steps of a branch that waits for other things are found later", async (t) => {
  const tick = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      await tick(2);
      return Promise.all([
        step.run("slow", () => tick(20).then(() => "slow")),
        tick(5).then(() => step.run("late", () => "late")),
      ]);
    }),
  ]);
  assert.deepEqual((await app.run("f")).output, ["slow", "late"]);
});

test("a planned step that the code no longer has is reported as not found", async () => {
  const outcome = await execute(
    {
      steps: {},
      stack: [],
      attempt: 0,
      maxAttempts: 1,
      target: hashStepId("gone"),
      immediate: false,
      targetPatienceMs: 5,
    },
    ({ request }) =>
      request({ id: "here", displayName: "here", op: "StepRun", name: "here", opts: {}, run: () => 1 }),
  );
  assert.deepEqual(outcome, { kind: "ops", ops: [{ id: hashStepId("gone"), op: "StepNotFound" }] });
});

test("an input that the service replaced reaches the step's function", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", ({ step }) =>
      step.run("add", (a: number, b: number) => a + b, 1, 2),
    ),
  ]);
  assert.equal((await app.run("f")).output, 3);
  const edited = await app.run("f", {}, { steps: { [hashStepId("add")]: { input: [10, 20] } } });
  assert.equal(edited.output, 30);
});

test("a hundred memoised steps are replayed in one call, also if one of them left the code", async (t) => {
  const ids = Array.from({ length: 100 }, (_, i) => `s${i}`);
  const app = await startApp(t, (c) => [
    c.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      let sum = 0;
      for (const id of ids) sum += await step.run(id, () => assert.fail("ran again"));
      return sum;
    }),
  ]);
  const all = ["removed", ...ids];
  const run = await app.run(
    "f",
    {},
    {
      steps: Object.fromEntries(all.map((id) => [hashStepId(id), { data: 1 }])),
      stack: all.map((id) => hashStepId(id)),
    },
  );
  assert.equal(run.output, 100);
});

test("the handler's logger writes each line once, however often the handler is replayed", async (t) => {
  const lines: unknown[] = [];
  const logger = { debug() {}, warn() {}, error() {}, info: (line: unknown) => lines.push(line) };
  const app = await startApp(
    t,
    (c) => [
      c.createFunction({ id: "f" }, "test/event", async ({ step, logger }) => {
        logger.info("start");
        await step.run("a", () => 1);
        logger.info("between");
        await step.sleep("nap", 1);
        logger.info("end");
      }),
    ],
    { checkpointing: false, logger },
  );
  await app.run("f");
  assert.deepEqual(lines, ["start", "between", "end"]);

  // A finished step that the code no longer has must not silence the logger for good.
  lines.length = 0;
  const removed = hashStepId("removed");
  await app.run("f", {}, { steps: { [removed]: { data: 1 } }, stack: [removed] });
  assert.deepEqual(lines, ["between", "end"]);
});
