/** Log lines from a handler on our SDK to the API, over real HTTP: each once, in the order in which it was written. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { Client, type Logger, type SvcFunction } from "../../packages/sdk/src/index.ts";
import { serve } from "../../packages/sdk/src/node.ts";
import { startService, type TestService } from "../service.ts";

interface ApiLine {
  at: string;
  level: string;
  text: string;
  step_id: string | null;
  attempt: number | null;
}

interface LoggedRun {
  status: string;
  steps: { id: string; name: string }[];
  logs: ApiLine[];
}

/** The service and an app that is synced with it. */
async function setUp(t: TestContext, define: (client: Client) => SvcFunction[]) {
  const service = await startService("dev", ["--retry-base", "1ms"]);
  t.after(() => service.close());
  const console: string[] = [];
  const write = (...values: unknown[]) => void console.push(values.join(" "));
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  const client = new Client({ id: "app", isDev: true, baseUrl: service.url, logger });
  const server = createServer(serve({ client, functions: define(client) }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const synced = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/svc`, {
    method: "PUT",
  });
  assert.equal(synced.status, 200);
  const start = async (name: string): Promise<string> => {
    const {
      ids: [id],
    } = await client.send({ name, data: {} });
    return id!;
  };
  return { service, console, start };
}

async function finished(service: TestService, eventId: string): Promise<LoggedRun> {
  const { id } = await service.finishedRun(eventId);
  return runOf(service, id);
}

async function runOf(service: TestService, runId: string): Promise<LoggedRun> {
  return (await service.api<{ data: LoggedRun }>(`/v1/runs/${runId}`)).data;
}

test("each line of a run with checkpoints, retries and parallel steps is there once, in order of time", async (t) => {
  let failures = 0;
  const { service, console, start } = await setUp(t, (client) => [
    client.createFunction({ id: "all" }, "t/all", async ({ step, logger, attempt }) => {
      logger.info("start");
      await step.run("first", () => logger.info("in first"));
      logger.debug("between", { n: 1 });
      await step.run("second", () => {
        logger.info("in second");
        if (failures++ === 0) {
          logger.warn("second fails");
          throw new Error("not yet");
        }
      });
      logger.info("after second");
      await step.sleep("nap", 5);
      logger.info("after nap");
      await Promise.all(["x", "y", "z"].map((id) => step.run(id, () => logger.info(`in ${id}`))));
      logger.info("after parallel");
      if (attempt === 0) {
        logger.error(new RangeError("once"));
        throw new Error("once more");
      }
      logger.info("end");
    }),
  ]);
  const run = await finished(service, await start("t/all"));
  assert.equal(run.status, "completed");
  const names = new Map(run.steps.map(({ id, name }) => [id, name]));
  const told = run.logs.map(
    ({ text, step_id, attempt }) => `${attempt} ${names.get(step_id ?? "") ?? "-"}: ${text.split("\n")[0]!}`,
  );
  // The parallel steps run side by side, in any order.
  const parallel = told.slice(9, 12).sort();
  assert.deepEqual(
    [...told.slice(0, 9), ...parallel, ...told.slice(12)],
    [
      "0 -: start",
      "0 first: in first",
      '0 -: between {"n":1}',
      "0 second: in second",
      "0 second: second fails",
      // The failed step is tried again by a new call of the function, which begins after what was kept.
      '1 -: between {"n":1}',
      "1 second: in second",
      "0 -: after second",
      "0 -: after nap",
      "0 x: in x",
      "0 y: in y",
      "0 z: in z",
      "0 -: after parallel",
      "0 -: RangeError: once",
      "1 -: after parallel",
      "1 -: end",
    ],
  );
  const times = run.logs.map(({ at }) => Date.parse(at));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.equal(console.length, told.length);
});

test("the lines of a long call show while it goes on, as far as its steps are kept", async (t) => {
  const goOn = Promise.withResolvers<void>();
  t.after(() => goOn.resolve());
  const { service, start } = await setUp(t, (client) => [
    client.createFunction({ id: "long" }, "t/long", async ({ step, logger }) => {
      await step.run("a", () => logger.info("kept"));
      logger.info("not yet");
      await goOn.promise;
    }),
  ]);
  const eventId = await start("t/long");
  await service.eventually(async () => {
    const [run] = await service.runsOf(eventId);
    const { logs } = await runOf(service, run?.id ?? "none");
    assert.deepEqual(
      logs.map(({ text }) => text),
      ["kept"],
    );
  });
  goOn.resolve();
  const { logs } = await finished(service, eventId);
  assert.deepEqual(
    logs.map(({ text }) => text),
    ["kept", "not yet"],
  );
});

test("a handler that logs without end is cut to what one report may have, and its run is not harmed", async (t) => {
  const { service, start } = await setUp(t, (client) => [
    client.createFunction({ id: "loud" }, "t/loud", ({ logger }) => {
      for (let n = 0; n < 5_000; n++) logger.info(`line ${n}`, "x".repeat(n));
    }),
  ]);
  const run = await finished(service, await start("t/loud"));
  assert.equal(run.status, "completed");
  assert.ok(run.logs.length > 100 && run.logs.length <= 201);
  assert.match(run.logs.at(-1)!.text, /^\d{4} more lines were left out/);
});
