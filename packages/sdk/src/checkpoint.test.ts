import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../test/app.ts";
import type { Client, SvcFunction } from "./index.ts";

const threeSteps =
  (ran: string[]) =>
  (client: Client): SvcFunction[] => [
    client.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      for (const id of ["a", "b", "c"]) await step.run(id, () => ran.push(id));
      return "done";
    }),
  ];

for (const status of [404, 409, 500, 503]) {
  test(`a checkpoint that is answered ${status} ends the call with the step in its answer`, async (t) => {
    const ran: string[] = [];
    const app = await startApp(t, threeSteps(ran));
    app.service.refuse("/v1/checkpoint", { status, body: { error: "no", code: "no", status } });
    const run = await app.run("f");
    assert.deepEqual(
      run.calls.map((call) => call.ops![0]!.op),
      ["StepRun", "RunComplete"],
    );
    assert.equal(run.calls[0]!.ops![0]!.name, "a");
    assert.deepEqual(ran, ["a", "b", "c"]);
  });
}

test("a checkpoint that gets no answer ends the call with the step in its answer", async (t) => {
  const ran: string[] = [];
  const app = await startApp(t, threeSteps(ran));
  app.service.refuse("/v1/checkpoint", { status: 0, drop: true }, { status: 0, drop: true });
  const run = await app.run("f");
  assert.equal(run.output, "done");
  assert.equal(run.calls.length, 3);
  assert.deepEqual(ran, ["a", "b", "c"]);
});

test("the next step waits until the checkpoint of the one before is accepted", async (t) => {
  const events: string[] = [];
  const app = await startApp(
    t,
    (client) => [
      client.createFunction({ id: "f" }, "test/event", async ({ step }) => {
        await step.run("a", () => events.push("a"));
        await step.run("b", () => events.push("b"));
      }),
    ],
    {
      fetch: async (url, init) => {
        events.push("post");
        const response = await fetch(url, init);
        await new Promise((resolve) => setTimeout(resolve, 5));
        events.push("answer");
        return response;
      },
    },
  );
  await app.run("f");
  assert.deepEqual(events, ["a", "post", "answer", "b", "post", "answer"]);
});

test("after checkpoints, a sleep or parallel steps end the call without repeating what was kept", async (t) => {
  const app = await startApp(t, (client) => [
    client.createFunction({ id: "f" }, "test/event", async ({ step }) => {
      await step.run("a", () => 1);
      await step.sleep("nap", "1s");
      await step.run("b", () => 1);
      await Promise.all([step.run("x", () => 1), step.run("y", () => 1)]);
    }),
  ]);
  const run = await app.run("f");
  assert.deepEqual(
    run.calls.slice(0, 2).map((call) => call.ops!.map((op) => op.op)),
    [["Sleep"], ["StepPlanned", "StepPlanned"]],
  );
  assert.deepEqual(
    run.checkpoints.map((op) => op.name),
    ["a", "b"],
  );
});

test("a function can switch checkpointing off", async (t) => {
  const app = await startApp(t, (client) => [
    client.createFunction({ id: "f", checkpointing: false }, "test/event", ({ step }) =>
      step.run("a", () => 1),
    ),
  ]);
  const run = await app.run("f");
  assert.equal(app.service.checkpointPosts.length, 0);
  assert.deepEqual([run.calls[0]!.status, run.calls[1]!.status], [206, 200]);
});

test("maxRuntime ends a long call with the step just finished; the next call goes on", async (t) => {
  const app = await startApp(t, (client) => [
    client.createFunction({ id: "f", maxRuntime: 5 }, "test/event", async ({ step }) => {
      await step.run("slow", () => new Promise((resolve) => setTimeout(resolve, 10)));
      return step.run("fast", () => "end");
    }),
  ]);
  const run = await app.run("f");
  assert.equal(run.output, "end");
  assert.deepEqual(
    run.calls.map((call) => call.ops?.[0]?.op),
    ["StepRun", "RunComplete"],
  );
});

test("in cloud mode checkpoints carry the hashed signing key", async (t) => {
  const app = await startApp(
    t,
    (client) => [client.createFunction({ id: "f" }, "test/event", ({ step }) => step.run("a", () => 1))],
    { signingKey: "abcdef0123456789abcdef0123456789" },
  );
  assert.equal((await app.run("f")).output, 1);
  assert.deepEqual(app.service.tokens, [
    "Bearer 3e4ca04a7a69cf22ada1ccc20cdec2f6d8c098e94e5776f47407b289c9e38a5c",
  ]);
});

test("state that is too large for the call is fetched from the service", async (t) => {
  const app = await startApp(t, (client) => [
    client.createFunction({ id: "f", checkpointing: false }, "test/event", async ({ step, events }) => [
      await step.run("a", () => 1),
      await step.run("b", () => 2),
      events.length,
    ]),
  ]);
  const run = await app.run("f", {}, { useApi: true });
  assert.deepEqual(run.output, [1, 2, 1]);
});

test("a call whose state cannot be fetched is refused, to be tried again", async (t) => {
  const app = await startApp(t, threeSteps([]));
  app.service.refuse("/v0/runs", { status: 503, body: { error: "later" } });
  const run = await app.run("f", {}, { useApi: true });
  assert.equal(run.calls[0]!.status, 502);
  assert.equal(run.output, "done");
});
