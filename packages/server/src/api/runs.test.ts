import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Json, NOON, readAll, startTestService, type TestService } from "./test-service.ts";

let service: TestService;
let seeded: { event: string; runs: string[] }[];
/** Runs by what became of them. */
let done: string;
let failed: string;
let retrying: string;
let queued: string;

const ERROR = JSON.stringify({ name: "Error", message: "no stock" });
const iso = (offset: number) => new Date(NOON + offset).toISOString();

before(async () => {
  service = await startTestService();
  seeded = await service.seed([
    { runs: ["shop-confirm"] },
    { runs: ["shop-confirm", "shop-audit"] },
    { runs: ["gone-function"] },
  ]);
  done = seeded[0]!.runs[0]!;
  [failed, retrying] = seeded[1]!.runs as [string, string];
  queued = seeded[2]!.runs[0]!;

  const step = {
    id: "a".repeat(40),
    name: "reserve",
    op: "StepRun",
    input: null,
    wakes_at: null,
    queued_at: NOON + 1_000,
    started_at: NOON + 1_500,
  };
  // A step fails, then succeeds; a sleep begins and ends; the run completes.
  await service.transition(done, {
    failedAttempts: [
      { id: "1", stepId: step.id, stepName: "reserve", attempt: 0, error: ERROR, timing: null },
    ],
    enqueue: [{ id: "second", kind: "call", step_id: "step", attempt: 1, due_at: NOON + 1_200 }],
  });
  await service.transition(done, {
    item: "second",
    steps: [
      {
        ...step,
        status: "completed",
        position: 0,
        output: '{"ok":true}',
        error: null,
        ended_at: NOON + 1_800,
      },
      {
        ...step,
        id: "b".repeat(40),
        name: "pause",
        op: "Sleep",
        status: "sleeping",
        position: null,
        output: null,
        error: null,
        queued_at: NOON + 1_900,
        ended_at: null,
        wakes_at: NOON + 5_000,
      },
    ],
    end: { status: "completed", output: '{"shipped":1}', error: null },
    now: NOON + 6_000,
  });
  await service.transition(failed, {
    failedAttempts: [{ id: "2", stepId: "step", stepName: null, attempt: 0, error: ERROR, timing: null }],
    end: { status: "failed", output: null, error: ERROR },
  });
  await service.transition(retrying, {
    failedAttempts: [
      {
        id: "3",
        stepId: "c".repeat(40),
        stepName: "pack",
        attempt: 0,
        error: ERROR,
        timing: { began: NOON + 700, ended: NOON + 900 },
      },
    ],
    enqueue: [{ id: "again", kind: "call", step_id: "step", attempt: 1, due_at: NOON + 60_000 }],
  });
});
after(() => service.close());

const list = async (query: string) =>
  (await service.get(`/v1/runs${query}`)).body.data.map((run: Json) => run.id);

test("runs come newest first and are chosen by function, app, status, event and time", async () => {
  assert.deepEqual(await list(""), [queued, retrying, failed, done]);
  assert.deepEqual(await list("?function=shop-confirm"), [failed, done]);
  assert.deepEqual(await list("?function=shop-confirm,gone-function"), [queued, failed, done]);
  assert.deepEqual(await list("?app=shop&function=shop-audit"), [retrying]);
  assert.deepEqual(await list("?app=other"), []);
  assert.deepEqual(await list("?status=failed"), [failed]);
  assert.deepEqual(await list("?status=completed"), [done]);
  assert.deepEqual(await list("?status=failed,completed"), [failed, done]);
  assert.deepEqual(await list("?status=failed,running"), [retrying, failed]);
  assert.deepEqual(await list("?status=running&function=shop-confirm"), []);
  assert.deepEqual(await list("?status=queued"), [queued]);
  assert.deepEqual(await list(`?event=${seeded[1]!.event}`), [retrying, failed]);
  assert.deepEqual(await list(`?event=${seeded[1]!.event}&status=failed&function=shop-confirm`), [failed]);
  assert.deepEqual(await list(`?after=${iso(1_000)}`), [queued, retrying, failed]);
  assert.deepEqual(await list(`?before=${iso(1_000)}`), [done]);
  assert.deepEqual(await list(`?after=${iso(1_000)}&before=${iso(2_000)}&status=failed`), [failed]);
  assert.equal((await readAll(service, "/v1/runs?limit=1")).length, 4);
  assert.equal((await readAll(service, "/v1/runs?limit=1&status=failed,running")).length, 2);
});

test("a run has its steps in order, and every attempt of each", async () => {
  const { status, body } = await service.get(`/v1/runs/${done}`);
  assert.equal(status, 200);
  const error = { name: "Error", message: "no stock" };
  assert.deepEqual(body.data, {
    id: done,
    function_id: "shop-confirm",
    function_name: "Confirm an order",
    app: "shop",
    event_ids: [seeded[0]!.event],
    event_name: "order/placed",
    status: "completed",
    queued_at: iso(0),
    started_at: iso(1_000),
    ended_at: iso(6_000),
    attempts: 2,
    rerun_of: null,
    kept_steps: 0,
    output: { shipped: 1 },
    error: null,
    steps: [
      {
        id: "a".repeat(40),
        name: "reserve",
        op: "StepRun",
        status: "completed",
        queued_at: iso(1_000),
        started_at: iso(1_500),
        ended_at: iso(1_800),
        wakes_at: null,
        kept: false,
        input: null,
        output: { ok: true },
        error: null,
        attempts: [
          { attempt: 0, status: "failed", started_at: iso(1_000), ended_at: iso(2_000), error },
          { attempt: 1, status: "completed", started_at: iso(1_500), ended_at: iso(1_800), error: null },
        ],
      },
      {
        id: "b".repeat(40),
        name: "pause",
        op: "Sleep",
        status: "sleeping",
        queued_at: iso(1_900),
        started_at: iso(1_500),
        ended_at: null,
        wakes_at: iso(5_000),
        kept: false,
        input: null,
        output: null,
        error: null,
        attempts: [],
      },
    ],
    failed_calls: [],
    logs: [],
  });
});

test("a run has its log lines, oldest first, whichever report brought them", async () => {
  const logged = (await service.seed([{ runs: ["shop-confirm"] }]))[0]!.runs[0]!;
  const report = (lines: object[], attempt: number, change: object) =>
    service.transition(logged, {
      logs: { attempt, count: lines.length, text: JSON.stringify(lines) },
      ...change,
    });
  const line = (offset: number, text: string, more: object = {}) => ({
    at: NOON + offset,
    level: "info",
    text,
    ...more,
  });
  await report([line(30, "b", { step: "a".repeat(40) }), line(50, "d")], 0, { keepItem: true });
  await report([line(10, "a"), line(40, "c", { level: "error" }), line(50, "e")], 2, { keepItem: true });
  const { logs } = (await service.get(`/v1/runs/${logged}`)).body.data;
  assert.deepEqual(logs, [
    { at: iso(10), level: "info", text: "a", step_id: null, attempt: 2 },
    { at: iso(30), level: "info", text: "b", step_id: "a".repeat(40), attempt: 0 },
    { at: iso(40), level: "error", text: "c", step_id: null, attempt: 2 },
    { at: iso(50), level: "info", text: "d", step_id: null, attempt: 0 },
    { at: iso(50), level: "info", text: "e", step_id: null, attempt: 2 },
  ]);
  await report([line(60, "x")], 0, { keepItem: true, logs: { attempt: 0, count: 10_000, text: "[]" } });
  const full = (await service.get(`/v1/runs/${logged}`)).body.data.logs.at(-1);
  assert.match(full.text, /not kept/);
  assert.equal(full.attempt, null);
});

test("failed calls that belong to no finished step are shown too", async () => {
  const whole = (await service.get(`/v1/runs/${failed}`)).body.data;
  assert.equal(whole.status, "failed");
  assert.deepEqual(whole.error, { name: "Error", message: "no stock" });
  assert.deepEqual(whole.failed_calls, [
    {
      step_id: null,
      step_name: null,
      attempt: 0,
      status: "failed",
      started_at: iso(1_000),
      ended_at: iso(2_000),
      error: { name: "Error", message: "no stock" },
    },
  ]);
  const step = (await service.get(`/v1/runs/${retrying}`)).body.data;
  const { step_id, step_name, started_at, ended_at } = step.failed_calls[0];
  assert.deepEqual([step_id, step_name, started_at, ended_at], ["c".repeat(40), "pack", iso(700), iso(900)]);
});

test("a queued run whose call is under way shows as running; a function that is gone shows its id", async () => {
  const show = async () => (await service.get(`/v1/runs/${queued}`)).body.data;
  assert.equal((await show()).status, "queued");
  assert.equal((await show()).attempts, 0);
  service.running.add(queued);
  assert.equal((await show()).status, "running");
  assert.equal((await show()).attempts, 1);
  service.running.clear();
  assert.equal((await show()).function_name, "gone-function");
});

test("a run is cancelled once, and repeated at will", async () => {
  const cancelled = await service.send("POST", `/v1/runs/${queued}/cancel`);
  assert.equal(cancelled.status, 200);
  assert.equal(cancelled.body.data.status, "cancelled");
  const again = await service.send("POST", `/v1/runs/${queued}/cancel`);
  assert.equal(again.status, 409);
  assert.equal(again.body.code, "conflict");
  const rerun = await service.send("POST", `/v1/runs/${failed}/rerun`);
  assert.deepEqual(rerun.body, { data: { id: "01RERUN" } });
  assert.deepEqual(service.calls.at(-1), ["rerun", "dev", failed, "none"]);
  for (const [body, keep] of [
    [{}, "none"],
    [{ from_step: "a".repeat(40) }, { before: "a".repeat(40) }],
    [{ keep_completed: true }, "completed"],
    [{ keep_completed: false }, "none"],
  ] as const) {
    await service.send("POST", `/v1/runs/${failed}/rerun`, body);
    assert.deepEqual(service.calls.at(-1), ["rerun", "dev", failed, keep]);
  }
  for (const path of ["/v1/runs/none/cancel", "/v1/runs/none/rerun"]) {
    assert.equal((await service.send("POST", path)).status, 404);
  }
  assert.equal((await service.get("/v1/runs/none")).status, 404);
});

test("a rerun that says badly which steps it keeps is refused", async () => {
  for (const [body, field] of [
    [{ from_step: "" }, "from_step"],
    [{ from_step: 1 }, "from_step"],
    [{ from_step: "a", keep_completed: true }, "keep_completed"],
    [{ keep_completed: "yes" }, "keep_completed"],
    [{ from: "a" }, "from"],
    [[], undefined],
  ] as const) {
    const answer = await service.send("POST", `/v1/runs/${failed}/rerun`, body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.body.field, field);
  }
});

test("a status that is none is refused", async () => {
  for (const [query, field] of [
    ["status=done", "status"],
    ["status=failed,done", "status"],
    ["cursor=%7B", "cursor"],
    ["after=x", "after"],
  ]) {
    const { status, body } = await service.get(`/v1/runs?${query}`);
    assert.equal(status, 400, query!);
    assert.equal(body.field, field);
  }
});
