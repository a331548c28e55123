import assert from "node:assert/strict";
import { test } from "node:test";
import { hashStepId, type LogLine } from "@svc/protocol";
import { startApp } from "../test/app.ts";
import { createCallLog } from "./call-log.ts";
import type { Logger } from "./logger.ts";

const texts = (lines: readonly LogLine[] | undefined) => lines?.map(({ text }) => text);

function recorder() {
  const written: string[] = [];
  const level =
    (name: string) =>
    (...values: unknown[]) =>
      void written.push(`${name} ${values.join(" ")}`);
  const logger: Logger = {
    debug: level("debug"),
    info: level("info"),
    warn: level("warn"),
    error: level("error"),
  };
  return { logger, written };
}

test("the lines of a call come with its answer, in an envelope that says so", async (t) => {
  const { logger, written } = recorder();
  const app = await startApp(
    t,
    (client) => [
      client.createFunction({ id: "f" }, "test/event", ({ logger: log }) => {
        log.debug("one", { a: 1 });
        log.info("two");
        log.warn("three");
        log.error("four");
        return { ok: true };
      }),
    ],
    { logger },
  );
  const { calls } = await app.run("f", {}, { takesLogs: true });
  const [call] = calls;
  assert.equal(call!.headers.get("x-svc-logs"), "1");
  assert.deepEqual(call!.body, { ok: true });
  assert.deepEqual(
    call!.logs!.map(({ level, text }) => `${level} ${text}`),
    ['debug one {"a":1}', "info two", "warn three", "error four"],
  );
  for (const { at, step } of call!.logs!) assert.deepEqual([Number.isInteger(at), step], [true, undefined]);
  assert.deepEqual(JSON.parse(call!.text), { logs: call!.logs, answer: { ok: true } });
  assert.deepEqual(written, ["debug one [object Object]", "info two", "warn three", "error four"]);
});

test("a service that does not ask for lines gets the answer alone, and so does a call without any", async (t) => {
  const app = await startApp(t, (client) => [
    client.createFunction({ id: "talks" }, "test/event", ({ logger }) => logger.info("hello")),
    client.createFunction({ id: "silent" }, "test/event", () => 1),
  ]);
  const unasked = (await app.run("talks")).calls[0]!;
  assert.deepEqual([unasked.text, unasked.headers.has("x-svc-logs")], ["null", false]);
  const silent = (await app.run("silent", {}, { takesLogs: true })).calls[0]!;
  assert.deepEqual([silent.text, silent.headers.has("x-svc-logs")], ["1", false]);
});

test("a client can keep its lines to itself", async (t) => {
  const { logger, written } = recorder();
  const app = await startApp(
    t,
    (client) => [
      client.createFunction({ id: "f" }, "test/event", async ({ step, logger: log }) => {
        await step.run("a", () => log.info("in a"));
        log.info("end");
      }),
    ],
    { logger, sendLogs: false },
  );
  const run = await app.run("f", {}, { takesLogs: true });
  assert.equal(run.calls[0]!.logs, undefined);
  assert.equal(app.service.checkpointPosts[0]!.logs, undefined);
  assert.deepEqual(written, ["info in a", "info end"]);
});

test("lines written before a step is kept go with its checkpoint, and are not sent again", async (t) => {
  const app = await startApp(t, (client) => [
    client.createFunction({ id: "f" }, "test/event", async ({ step, logger }) => {
      logger.info("start");
      await step.run("a", () => logger.info("in a"));
      await step.run("b", () => 1);
      logger.info("end");
    }),
  ]);
  const run = await app.run("f", {}, { takesLogs: true });
  const [first, second] = app.service.checkpointPosts;
  assert.deepEqual(texts(first!.logs), ["start", "in a"]);
  assert.deepEqual(
    first!.logs!.map(({ step }) => step),
    [undefined, hashStepId("a", 0)],
  );
  assert.equal("logs" in second!, false);
  assert.deepEqual(texts(run.calls[0]!.logs), ["end"]);
});

test("lines of a checkpoint that was not taken go with the answer", async (t) => {
  const app = await startApp(t, (client) => [
    client.createFunction({ id: "f" }, "test/event", async ({ step, logger }) => {
      logger.info("start");
      await step.run("a", () => logger.info("in a"));
      logger.info("end");
    }),
  ]);
  app.service.refuse("/v1/checkpoint", { status: 503 });
  const run = await app.run("f", {}, { takesLogs: true });
  assert.deepEqual(
    run.calls.map((call) => texts(call.logs)),
    [["start", "in a"], ["end"]],
  );
});

test("a call for a planned step tells what its step has logged, and nothing that its planner has told", async (t) => {
  const { logger, written } = recorder();
  const app = await startApp(
    t,
    (client) => [
      client.createFunction({ id: "f" }, "test/event", async ({ step, logger: log }) => {
        log.info("before");
        await Promise.all(["x", "y"].map((id) => step.run(id, () => log.info(id))));
        log.info("after");
      }),
    ],
    { logger },
  );
  const run = await app.run("f", {}, { takesLogs: true });
  const lines = run.calls.flatMap((call) => call.logs ?? []);
  assert.deepEqual(texts(lines), ["before", "x", "y", "after"]);
  assert.equal(lines[1]!.step, hashStepId("x", 0));
  assert.equal(written.length, 4);
});

test("a failed call keeps its status and headers in the envelope", async (t) => {
  const app = await startApp(t, (client) => [
    client.createFunction({ id: "f" }, "test/event", ({ logger }) => {
      logger.error("about to fail");
      throw new Error("failed");
    }),
  ]);
  const run = await app.run("f", {}, { takesLogs: true, maxAttempts: 1 });
  const [call] = run.calls;
  assert.deepEqual([call!.status, (call!.body as Error).message], [500, "failed"]);
  assert.deepEqual(texts(call!.logs), ["about to fail"]);
});

test("a logger of the app that throws does not keep the line from the service", async (t) => {
  const broken = () => {
    throw new Error("disk full");
  };
  const app = await startApp(
    t,
    (client) => [client.createFunction({ id: "f" }, "test/event", ({ logger }) => logger.info("line"))],
    { logger: { debug: broken, info: broken, warn: broken, error: broken } },
  );
  const [call] = (await app.run("f", {}, { takesLogs: true, maxAttempts: 1 })).calls;
  assert.deepEqual([call!.status, texts(call!.logs)], [500, ["line"]]);
});

test("what is more than a report may carry is counted, and said in its last line", () => {
  const log = createCallLog(() => 5);
  for (let n = 0; n < 203; n++) log.write("info", [`line ${n}`], undefined);
  const first = log.report();
  assert.equal(first.lines.length, 201);
  assert.deepEqual(first.lines.at(-1), {
    at: 5,
    level: "warn",
    text: "3 more lines were left out: 200 lines and 48 KB of text are sent at a time.",
  });
  // A line written while the report was on its way is counted for the next one.
  log.write("info", ["late"], undefined);
  log.reported(first);
  assert.match(log.report().lines[0]!.text, /^1 more line was left out/);
});

test("the bytes of a report are bounded, and there is room again after it", () => {
  const log = createCallLog();
  for (let n = 0; n < 20; n++) log.write("info", ["é".repeat(4_000)], "hash");
  const report = log.report();
  assert.equal(report.written, 6);
  assert.equal(report.omitted, 14);
  log.reported(report);
  assert.deepEqual(log.report().lines, []);
  log.write("info", ["again"], undefined);
  assert.deepEqual(texts(log.report().lines), ["again"]);
  log.close();
  log.write("info", ["too late"], undefined);
  assert.deepEqual(texts(log.report().lines), ["again"]);
});

test("a clock that is set back does not bring lines out of order", () => {
  const times = [100, 40, 200];
  const log = createCallLog(() => times.shift()!);
  for (const text of ["a", "b", "c"]) log.write("info", [text], undefined);
  assert.deepEqual(
    log.report().lines.map(({ at }) => at),
    [100, 100, 200],
  );
});
