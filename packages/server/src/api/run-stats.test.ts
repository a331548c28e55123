import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Json, NOON, startTestService, type TestService } from "./test-service.ts";

let service: TestService;
const MINUTE = 60_000;
const iso = (offset: number) => new Date(NOON + offset).toISOString();
const ERROR = JSON.stringify({ name: "Error", message: "no stock" });

/** A run of a function, queued at a time after noon, and ended or not. */
async function run(fn: string, at: number, end?: { status: "completed" | "failed"; tookMs: number }) {
  const [seeded] = await service.seed([{ at: NOON + at, runs: [fn] }]);
  const id = seeded!.runs[0]!;
  if (end === undefined) return id;
  await service.transition(id, {
    functionId: fn,
    startedAt: NOON + at + 100,
    now: NOON + at + 100 + end.tookMs,
    end: { status: end.status, output: null, error: end.status === "failed" ? ERROR : null },
  });
  return id;
}

before(async () => {
  service = await startTestService();
  await run("shop-confirm", -10 * MINUTE);
  for (let i = 1; i <= 20; i++) await run("shop-confirm", i, { status: "completed", tookMs: i * 10 });
  await run("shop-confirm", 5 * MINUTE, { status: "failed", tookMs: 4_000 });
  await run("shop-confirm", 6 * MINUTE);
  await run("shop-audit", 6 * MINUTE, { status: "completed", tookMs: 5 });
  const cancelled = await run("shop-audit", 12 * MINUTE);
  const end = { status: "cancelled" as const, output: null, error: null };
  await service.store.execute("endRun", {
    env: "dev",
    runId: cancelled,
    now: NOON + 13 * MINUTE,
    end,
    emit: [],
  });
});
after(() => service.close());

const RANGE = `after=${NOON}&before=${NOON + 15 * MINUTE}&bucket=5m`;
const NONE = { queued: 0, running: 0, completed: 0, failed: 0, cancelled: 0, skipped: 0 };

test("runs are counted per bucket of time by what they are now, without gaps", async () => {
  const { status, body } = await service.get(`/v1/runs/stats?${RANGE}`);
  assert.equal(status, 200);
  assert.deepEqual(body.data, {
    after: iso(0),
    before: iso(15 * MINUTE),
    bucket_ms: 5 * MINUTE,
    counted_from: iso(0),
    buckets: [
      { start: iso(0), ...NONE, completed: 20 },
      { start: iso(5 * MINUTE), ...NONE, queued: 1, completed: 1, failed: 1 },
      { start: iso(10 * MINUTE), ...NONE, cancelled: 1 },
    ],
  });
});

test("runs are counted of some functions, or of one app", async () => {
  const total = async (query: string) => {
    const { body } = await service.get(`/v1/runs/stats?${RANGE}&${query}`);
    return body.data.buckets.map(({ start: _, ...counts }: Json) =>
      Object.values<number>(counts).reduce((sum, count) => sum + count),
    );
  };
  assert.deepEqual(await total("function=shop-audit"), [0, 1, 1]);
  assert.deepEqual(await total("function=shop-audit,shop-confirm"), [20, 3, 1]);
  assert.deepEqual(await total("app=shop"), [20, 3, 1]);
  assert.deepEqual(await total("app=other"), [0, 0, 0]);
});

test("a range is refused when it is empty or has too many buckets", async () => {
  for (const path of ["/v1/runs/stats", "/v1/functions/stats", "/v1/functions/shop-confirm/stats"]) {
    const empty = await service.get(`${path}?after=${NOON}&before=${NOON}`);
    assert.deepEqual([empty.status, empty.body.field], [400, "after"], path);
    const long = await service.get(`${path}?after=0&before=${NOON}&bucket=1s`);
    assert.deepEqual([long.status, long.body.field], [400, "bucket"], path);
  }
});

test("the runs of every function are counted in one answer; those without any are left out", async () => {
  const { body } = await service.get(`/v1/functions/stats?${RANGE}`);
  assert.deepEqual(body.data.functions, [
    {
      id: "shop-confirm",
      count: 22,
      failed: 1,
      buckets: [
        [20, 0],
        [2, 1],
        [0, 0],
      ],
    },
    {
      id: "shop-audit",
      count: 2,
      failed: 0,
      buckets: [
        [0, 0],
        [1, 0],
        [1, 0],
      ],
    },
  ]);
  const later = await service.get(
    `/v1/functions/stats?after=${NOON + 12 * MINUTE}&before=${NOON + 15 * MINUTE}`,
  );
  assert.deepEqual(
    later.body.data.functions.map(({ id }: Json) => id),
    ["shop-audit"],
  );
});

test("the runs of a function are counted and timed, and those that wait are its backlog", async () => {
  const { body } = await service.get(`/v1/functions/shop-confirm/stats?${RANGE}`);
  const { buckets, ...total } = body.data;
  assert.equal(total.count, 22);
  assert.deepEqual([total.completed, total.failed, total.cancelled], [20, 1, 0]);
  assert.deepEqual([total.p50_ms, total.p95_ms], [110, 200]);
  assert.deepEqual(
    buckets.map(({ p50_ms, p95_ms, backlog }: Json) => [p50_ms, p95_ms, backlog]),
    [
      [100, 190, 1],
      [4_000, 4_000, 2],
      [null, null, 2],
    ],
  );
  const audit = await service.get(`/v1/functions/shop-audit/stats?${RANGE}`);
  assert.deepEqual(
    audit.body.data.buckets.map(({ backlog, cancelled }: Json) => [backlog, cancelled]),
    [
      [0, 0],
      [0, 0],
      [0, 1],
    ],
    "what was cancelled no longer waits",
  );
});

test("an unknown function has no statistics", async () => {
  assert.equal((await service.get("/v1/functions/shop-none/stats")).status, 404);
});
