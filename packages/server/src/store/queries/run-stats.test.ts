import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createUlidGenerator } from "@svc/protocol";
import type { Row, Sql, Statement } from "../sql.ts";
import { connect } from "../sqlite/connection.ts";
import { migrate } from "../sqlite/migrate.ts";
import { functionStats } from "./function-stats.ts";
import { MAX_RUNS_OF_SOME } from "./newest-runs.ts";
import { runStats } from "./run-stats.ts";

const NOON = Date.UTC(2026, 4, 1, 12);
const BUCKET = 1_000;
const connection = connect({ path: ":memory:", durable: false, readOnly: false });
migrate(connection, 0);
after(() => connection.db.close());

const nextId = createUlidGenerator();
const insert = connection.db.prepare(
  `INSERT INTO runs (env, id, function_id, app_id, event_id, status, attempts, request_version, queued_at,
     started_at, ended_at) VALUES ('dev', ?, ?, 'shop', 'e', ?, 1, 1, ?, ?, ?)`,
);

function seed(functionId: string, at: number, count: number, status = "completed"): void {
  const started = status === "queued" ? null : at;
  const ended = status === "queued" ? null : at + 10;
  for (let i = 0; i < count; i++) insert.run(nextId(at), functionId, status, at, started, ended);
}

function drive<T>(work: Sql<T>): T {
  let step = work.next();
  while (!step.done) {
    const { sql, params } = step.value as Statement;
    step = work.next(connection.db.prepare(sql.replace(/\$(\d+)/g, "?$1")).all(...params) as Row[]);
  }
  return step.value;
}

test("of more runs than can be counted, whole buckets of the newest are, and it is said from when on", () => {
  connection.db.exec("BEGIN");
  seed("shop-busy", NOON, 4, "queued");
  seed("shop-busy", NOON + BUCKET, 500);
  seed("shop-busy", NOON + 2 * BUCKET, MAX_RUNS_OF_SOME - 100);
  seed("shop-calm", NOON + BUCKET, 7);
  connection.db.exec("COMMIT");
  const range = { env: "dev", after: NOON, before: NOON + 3 * BUCKET, bucketMs: BUCKET };
  const third = NOON / BUCKET + 2;

  const one = drive(functionStats({ ...range, functionId: "shop-busy" }));
  assert.equal(one.countedFrom, NOON + 2 * BUCKET);
  assert.equal(one.total.count, MAX_RUNS_OF_SOME - 100);
  assert.deepEqual(
    one.buckets.map(({ bucket, backlog, p95 }) => [bucket, backlog, p95]),
    [[third, 4, 10]],
    "what is left out still counts as waiting",
  );

  const some = drive(runStats({ ...range, functions: ["shop-busy"], app: null }));
  assert.equal(some.countedFrom, NOON + 2 * BUCKET);
  assert.deepEqual(
    some.buckets.map(({ bucket, completed }) => [bucket, completed]),
    [[third, MAX_RUNS_OF_SOME - 100]],
  );

  const all = drive(runStats({ ...range, functions: null, app: null }));
  assert.equal(all.countedFrom, NOON, "all functions together may have more");
  assert.deepEqual(
    all.buckets.map(({ queued, completed }) => [queued, completed]),
    [
      [4, 0],
      [0, 507],
      [0, MAX_RUNS_OF_SOME - 100],
    ],
  );
});
