import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attempt, RunStory, Step } from "../api/types.ts";
import { ticksOf, timelineOf } from "./timeline.ts";

const T = Date.UTC(2026, 4, 1, 12);
const iso = (offset: number) => new Date(T + offset).toISOString();
const attempt = (status: Attempt["status"], from: number, to: number, n = 0): Attempt => ({
  attempt: n,
  status,
  error: null,
  started_at: iso(from),
  ended_at: iso(to),
});
function step(more: Partial<Step>): Step {
  return {
    id: "s",
    name: "reserve",
    op: "StepRun",
    status: "completed",
    input: null,
    output: null,
    error: null,
    attempts: [],
    queued_at: iso(100),
    started_at: null,
    ended_at: null,
    wakes_at: null,
    kept: false,
    ...more,
  };
}
function run(more: Partial<RunStory>): RunStory {
  return {
    id: "r",
    function_id: "shop-confirm",
    function_name: "Confirm",
    app: "shop",
    event_ids: ["e"],
    event_name: "order/placed",
    status: "completed",
    output: null,
    error: null,
    queued_at: iso(0),
    started_at: iso(50),
    ended_at: iso(1_000),
    attempts: 1,
    rerun_of: null,
    kept_steps: 0,
    steps: [],
    failed_calls: [],
    logs: [],
    ...more,
  };
}
const spans = (story: RunStory, key: string, now = T + 5_000) =>
  timelineOf(story, now)
    .rows.find((row) => row.key === key)!
    .spans.map(({ kind, from, to, open }) => [kind, from - T, to - T, open]);

test("a run shows how long it waited and how long it ran", () => {
  assert.deepEqual(spans(run({}), "run"), [
    ["queued", 0, 50, false],
    ["completed", 50, 1_000, false],
  ]);
});

test("what goes on reaches to the present", () => {
  assert.deepEqual(spans(run({ status: "running", ended_at: null }), "run"), [
    ["queued", 0, 50, false],
    ["running", 50, 5_000, true],
  ]);
  assert.deepEqual(spans(run({ status: "queued", started_at: null, ended_at: null }), "run"), [
    ["queued", 0, 5_000, true],
  ]);
});

test("a step shows every attempt and the pauses between them", () => {
  const attempts = [attempt("completed", 700, 800, 1), attempt("failed", 100, 200)];
  assert.deepEqual(spans(run({ steps: [step({ attempts })] }), "s"), [
    ["failed", 100, 200, false],
    ["retry", 200, 700, false],
    ["completed", 700, 800, false],
  ]);
});

test("a planned step shows that it waits, until its run ends", () => {
  const planned = step({ status: "planned" });
  assert.deepEqual(spans(run({ status: "running", ended_at: null, steps: [planned] }), "s"), [
    ["queued", 100, 5_000, true],
  ]);
  assert.deepEqual(spans(run({ status: "cancelled", steps: [planned] }), "s"), [
    ["queued", 100, 1_000, false],
  ]);
});

test("a sleep shows how long it slept", () => {
  const asleep = step({ op: "Sleep", status: "sleeping", wakes_at: iso(9_000) });
  assert.deepEqual(spans(run({ status: "running", ended_at: null, steps: [asleep] }), "s"), [
    ["sleeping", 100, 5_000, true],
  ]);
  const woken = step({ op: "Sleep", ended_at: iso(600) });
  assert.deepEqual(spans(run({ steps: [woken] }), "s"), [["sleeping", 100, 600, false]]);
});

test("failed calls of the function, and of steps that have not finished, have rows of their own", () => {
  const story = run({
    status: "running",
    ended_at: null,
    failed_calls: [
      { ...attempt("failed", 60, 90), step_id: null, step_name: null },
      { ...attempt("failed", 300, 400), step_id: "abcdef0123", step_name: "pack" },
      { ...attempt("failed", 350, 400), step_id: "0123abcdef", step_name: null },
    ],
  });
  const rows = timelineOf(story, T + 5_000).rows.map(({ key, name }) => [key, name]);
  assert.deepEqual(rows, [
    ["run", "Run"],
    ["calls", "Function"],
    ["abcdef0123", "pack"],
    ["0123abcdef", "Step 0123abcd"],
  ]);
  assert.deepEqual(spans(story, "calls").at(-1), ["retry", 90, 5_000, true]);
});

test("steps that were taken over stand first, in their order, and took no time", () => {
  const kept = ["a", "b"].map((id) =>
    step({ id, name: id, kept: true, queued_at: iso(0), ended_at: iso(0) }),
  );
  const own = step({ id: "c", name: "c", attempts: [attempt("completed", 60, 70)], queued_at: iso(60) });
  const story = run({ rerun_of: "old", kept_steps: 2, steps: [...kept, own] });
  assert.deepEqual(
    timelineOf(story, T).rows.map(({ name, kept, spans }) => [name, kept ?? false, spans.length]),
    [
      ["Run", false, 2],
      ["a", true, 0],
      ["b", true, 0],
      ["c", false, 1],
    ],
  );
});

test("rows stand in the order in which they began, and the axis holds all of them", () => {
  const late = step({ id: "late", attempts: [attempt("completed", 500, 1_200)] });
  const early = step({ id: "early", attempts: [attempt("completed", 60, 70)], queued_at: iso(70) });
  const { rows, from, to } = timelineOf(run({ steps: [late, early] }), T);
  assert.deepEqual(
    rows.map(({ key }) => key),
    ["run", "early", "late"],
  );
  assert.deepEqual([from - T, to - T], [0, 1_200]);
});

test("marks on the axis are round and as precise as they have to be", () => {
  const texts = (from: number, to: number) => ticksOf({ from, to }, 5).map(({ text }) => text);
  assert.deepEqual(texts(0, 1_000), ["0", "200 ms", "400 ms", "600 ms", "800 ms", "1 s"]);
  assert.deepEqual(texts(61_000, 61_040), [
    "1 m 1 s",
    "1 m 1.01 s",
    "1 m 1.02 s",
    "1 m 1.03 s",
    "1 m 1.04 s",
  ]);
  assert.deepEqual(texts(0, 3 * 86_400_000), ["0", "1 d", "2 d", "3 d"]);
  assert.ok(ticksOf({ from: 0, to: 366 * 86_400_000 }, 5).length <= 6);
});
