/** Log lines that come with answers and checkpoints: kept with the outcome they came with, and never in its way. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { hashStepId, type LogLine, wrapAnswer } from "@svc/protocol";
import { runHarness } from "../../test/run-harness.ts";
import { done, type ScriptedAnswer, scriptedApp, steps } from "../../test/scripted-app.ts";
import { scriptedRuns } from "../../test/scripted-runs.ts";
import { ServiceError } from "../errors.ts";
import type { RunStory } from "../store/queries/find-run.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Store } from "../store/store.ts";
import { checkpoint } from "./checkpoint.ts";
import { MAX_ANSWER_BYTES } from "./draft.ts";

const A = hashStepId("a");
const ran = (id: string, data: unknown) => ({ id, op: "StepRun" as const, displayName: id, data });
const info = (text: string, at = 5): LogLine => ({ at, level: "info", text });

const linesOf = (story: RunStory | null): { attempt: number | null; text: string }[] =>
  JSON.parse(story!.logs);

/** The answer in an envelope with these lines. */
function logged(answer: ScriptedAnswer, ...texts: string[]): ScriptedAnswer {
  const body = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
  const lines = texts.map((text) => info(text));
  return { ...answer, headers: { ...answer.headers, "x-svc-logs": "1" }, body: wrapAnswer(body, lines) };
}

describe("the executor, given log lines,", () => {
  const scene = scriptedRuns();
  const { atEnd } = scene;
  const setUp = async (...args: Parameters<typeof scene.setUp>) => {
    const { app, runs } = await scene.setUp(...args);
    /** `attempt: text` of each line, in the order in which they were kept. */
    const logs = async (runId: string) =>
      linesOf(await runs.store.query("findRun", { env: "dev", id: runId })).map(
        ({ attempt, text }) => `${attempt}: ${text}`,
      );
    return { app, runs, logs };
  };

  test("asks apps of its own dialect for them, and no others", async () => {
    const ours = await setUp(() => done(1));
    await ours.runs.finished(await ours.runs.send());
    assert.equal(ours.app.calls[0]!.headers["x-svc-logs"], "1");
    const theirs = await setUp(() => done(1), { fn: { dialect: "inngest" } });
    await theirs.runs.finished(await theirs.runs.send());
    const names = Object.keys(theirs.app.calls[0]!.headers);
    assert.deepEqual(
      names.filter((name) => name.includes("logs")),
      [],
    );
  });

  test("keeps those of every answer: of steps, of failed attempts, of the one that ends the run", async () => {
    const { runs, logs } = await setUp(({ body }) => {
      if (!(A in body.steps)) return logged(steps(ran(A, 1)), "one", "two");
      if (body.ctx.attempt === 0)
        return logged({ status: 500, body: { name: "E", message: "no" } }, "failing");
      return logged(done('kept as "it" is'), "end");
    });
    const runId = await runs.send();
    const { run, steps: stored } = await runs.finished(runId);
    assert.deepEqual([run.status, run.output], ["completed", JSON.stringify('kept as "it" is')]);
    assert.equal(stored[0]!.output, "1");
    assert.deepEqual(await logs(runId), ["0: one", "0: two", "0: failing", "1: end"]);
  });

  test("keeps the very text of an output", async () => {
    const { runs } = await setUp(() =>
      logged({ status: 200, body: '{ "n": 1.50,  "big": 12345678901234567890 }' }, "x"),
    );
    const { run } = await runs.finished(await runs.send());
    assert.equal(run.output, '{ "n": 1.50,  "big": 12345678901234567890 }');
  });

  test("keeps those of a checkpoint with the step it reports, while the call goes on", async () => {
    let seen: string[] = [];
    const { runs, logs } = await setUp(async ({ body }) => {
      const { run_id: runId, qi_id } = body.ctx;
      await checkpoint(runs.executor, "dev", runId, { qi_id, steps: [ran(A, 1)], logs: [info("during")] });
      seen = await logs(runId);
      return logged(steps({ id: hashStepId("end"), op: "RunComplete", data: 1 }), "after");
    });
    const runId = await runs.send();
    await runs.finished(runId);
    assert.deepEqual(seen, ["0: during"]);
    assert.deepEqual(await logs(runId), ["0: during", "0: after"]);
  });

  test("takes a checkpoint whose lines are nonsense", async () => {
    const { runs, logs } = await setUp(async ({ body }) => {
      if (A in body.steps) return done("went on");
      const { run_id: runId, qi_id } = body.ctx;
      await checkpoint(runs.executor, "dev", runId, { qi_id, steps: [ran(A, 1)], logs: { 0: "x" } });
      return steps(ran(A, 1));
    });
    const runId = await runs.send();
    assert.equal((await runs.finished(runId)).run.output, '"went on"');
    assert.deepEqual(await logs(runId), []);
  });

  test("writes none of an answer that came too late", async () => {
    const { runs, logs } = await setUp(async ({ body }) => {
      const { run_id: runId, qi_id } = body.ctx;
      await runs.executor.cancel("dev", runId, { name: "Cancelled", message: "by a test" });
      const late = checkpoint(runs.executor, "dev", runId, {
        qi_id,
        steps: [ran(A, 1)],
        logs: [info("late")],
      });
      await assert.rejects(
        late,
        (error: ServiceError) => error.code === "stale_call" || error.code === "not_found",
      );
      return logged(done(1), "too late");
    });
    const runId = await runs.send();
    await runs.finished(runId);
    await runs.executor.stop(1_000);
    assert.deepEqual(await logs(runId), []);
  });

  test("does not take them from apps of the other dialect, whose answers stand as they came", async () => {
    const { runs, logs } = await setUp(() => logged(done(1), "line"), { fn: { dialect: "inngest" } });
    const runId = await runs.send();
    const { run } = await runs.finished(runId);
    assert.deepEqual(JSON.parse(run.output!), { logs: [info("line")], answer: 1 });
    assert.deepEqual(await logs(runId), []);
  });

  test("never fails a run for its lines", async () => {
    const odd = [
      '{"logs":[{"at":"x"}],"answer":"ok"}',
      '{"logs":[{"at":1,"level":"info"],"answer":"ok"}',
      `{"logs":[${"[".repeat(20_000)}${"]".repeat(20_000)}],"answer":"ok"}`,
      `{"logs":["${"x".repeat(500_000)}"],"answer":"ok"}`,
    ];
    for (const body of odd) {
      const { runs } = await setUp(() => ({ status: 200, headers: { "x-svc-logs": "1" }, body }));
      const { run } = await runs.finished(await runs.send());
      assert.deepEqual([run.status, run.output], ["completed", '"ok"']);
    }
  });

  test("takes an envelope that cannot be opened for a failed attempt, and says so", async () => {
    for (const body of ['{"answer":1,"logs":[]}', "null", "", "{}"]) {
      const { app, runs } = await setUp(() => ({ status: 200, headers: { "x-svc-logs": "1" }, body }));
      const { run } = await runs.finished(await runs.send());
      assert.match(run.error!, /x-svc-logs does not fit its body/);
      assert.equal(app.calls.length, 3);
    }
  });

  test("bounds an answer inside an envelope as it does a bare one", async () => {
    const deep = `${"[".repeat(501)}${"]".repeat(501)}`;
    const tooDeep = await setUp(() => logged({ status: 200, body: deep }, "deep"));
    const runId = await tooDeep.runs.send();
    const { run } = await tooDeep.runs.finished(runId);
    assert.match(run.error!, /nests deeper than 500 levels/);
    assert.deepEqual(await tooDeep.logs(runId), ["0: deep", "1: deep", "2: deep"]);

    // Two bytes for the quotes: with them the answer is one byte too large, or just as large as may be.
    const large = (bytes: number) => logged(steps({ id: A, op: "Sleep", name: "x".repeat(bytes) }), "large");
    const frame = JSON.stringify(steps({ id: A, op: "Sleep", name: "" }).body).length;
    const over = await setUp(() => large(MAX_ANSWER_BYTES - frame + 1));
    const overId = await over.runs.send();
    assert.match((await over.runs.finished(overId)).run.error!, /LimitError.*larger than 5242880 bytes/);
    assert.deepEqual([over.app.calls.length, await over.logs(overId)], [1, ["0: large"]]);
    const fits = await setUp(() => large(MAX_ANSWER_BYTES - frame));
    assert.match((await fits.runs.finished(await fits.runs.send())).run.error!, /sleeps for/);
  });

  test("keeps lines and outcome together when the store refuses them for a while", async () => {
    const store = await openSqlite({ dataDir: null, now: Date.now });
    let refusals = 2;
    const execute: Store["execute"] = (name, args) =>
      name === "applyTransition" && refusals-- > 0
        ? Promise.reject(new ServiceError("unavailable"))
        : store.execute(name, args);
    const { runs, logs } = await setUp(() => logged(done(1), "once"), { store: { ...store, execute } });
    const runId = await runs.send();
    await runs.finished(runId);
    assert.deepEqual(await logs(runId), ["0: once"]);
  });

  test("after a crash between a checkpoint and the answer each line is there once", async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), "svc-logs-"));
    t.after(() => rmSync(dataDir, { recursive: true }));
    const reported = Promise.withResolvers<void>();
    let crashed = false;
    let executor: Parameters<typeof checkpoint>[0];
    const app = await scriptedApp(async ({ body }) => {
      if (crashed) return logged(done(1), "second call");
      const { run_id: runId, qi_id } = body.ctx;
      await checkpoint(executor, "dev", runId, { qi_id, steps: [ran(A, 1)], logs: [info("kept")] });
      reported.resolve();
      return new Promise<ScriptedAnswer>(() => {});
    });
    atEnd(app.close);
    const first = await runHarness({ appUrl: app.url, store: await openSqlite({ dataDir, now: Date.now }) });
    executor = first.executor;
    const runId = await first.send();
    await reported.promise;
    // Its call is given up, as a crash would leave it: the item is in the store, the answer never comes.
    await first.close(0);
    crashed = true;
    const second = await runHarness({ appUrl: app.url, store: await openSqlite({ dataDir, now: Date.now }) });
    atEnd(() => second.close());
    second.executor.created("dev", [runId, "app-fn", "app", 0]);
    await second.finished(runId);
    const lines = linesOf(await second.store.query("findRun", { env: "dev", id: runId }));
    assert.deepEqual(
      lines.map(({ text }) => text),
      ["kept", "second call"],
    );
  });
});
