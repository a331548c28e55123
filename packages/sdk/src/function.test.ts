import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../test/app.ts";
import { Client } from "./index.ts";

test("onFailure gets the error and the original event", async (t) => {
  const app = await startApp(t, (c) => [
    c.createFunction(
      {
        id: "f",
        onFailure: async ({ error, originalEvent, event, step }) => [
          error instanceof Error,
          error.name,
          error.message,
          originalEvent.data.x,
          event.data.run_id,
          await step.run("tell", () => "told"),
        ],
      },
      "test/event",
      () => {},
    ),
  ]);
  const failed = {
    name: "svc/function.failed",
    data: {
      function_id: "app-f",
      run_id: "r1",
      error: { name: "TypeError", message: "no", stack: "TypeError: no" },
      event: { name: "test/event", data: { x: 7 } },
    },
  };
  const run = await app.service.run(app.url, "app-f-failure", failed);
  assert.deepEqual(run.output, [true, "TypeError", "no", 7, "r1", "told"]);
});

test("a definition that is not complete is refused with the function's name", () => {
  const client = new Client({ id: "app" });
  const handler = (): void => {};
  assert.throws(() => client.createFunction({ id: "" }, "a", handler), { code: "function_id_missing" });
  assert.throws(
    () => client.createFunction({ id: "f" }, [], handler),
    /Function "f" needs at least one trigger/,
  );
  assert.throws(() => client.createFunction({ id: "f" }, { event: " " }, handler), {
    code: "trigger_missing",
  });
  for (const retries of [-1, 21, 1.5]) {
    assert.throws(() => client.createFunction({ id: "f", retries }, "a", handler), /Function "f": `retries`/);
  }
});

test("an id with a quote cannot break out of the failure expression", () => {
  const client = new Client({ id: "app" });
  const fn = client.createFunction({ id: "it's", onFailure: () => {} }, "a", () => {});
  assert.equal(fn.failure!.triggers[0]!.if, "event.data.function_id == 'app-it\\'s'");
});
