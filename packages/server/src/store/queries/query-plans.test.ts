import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { acceptEvents } from "../commands/accept-events.ts";
import { purgeAuditLog } from "../commands/purge-audit-log.ts";
import type { Row, Sql, Statement } from "../sql.ts";
import { connect } from "../sqlite/connection.ts";
import { migrate } from "../sqlite/migrate.ts";
import { eventStats } from "./event-stats.ts";
import { findEvent } from "./find-event.ts";
import { findRun } from "./find-run.ts";
import { functionActivity } from "./function-activity.ts";
import { functionStats } from "./function-stats.ts";
import { type ListAuditLogArgs, listAuditLog } from "./list-audit-log.ts";
import { listEventSummaries } from "./list-event-summaries.ts";
import { type ListEventsArgs, listEvents } from "./list-events.ts";
import { type ListRunsArgs, listRuns } from "./list-runs.ts";
import { runStats } from "./run-stats.ts";
import { runsOfEvents } from "./runs-of-events.ts";

const dir = mkdtempSync(join(tmpdir(), "svc-plans-"));
const connection = connect({ path: join(dir, "svc.db"), durable: false, readOnly: false });
migrate(connection, 0);
connection.drive(
  acceptEvents({
    env: "dev",
    now: 1,
    source: "key",
    sourceName: null,
    seeded: false,
    events: [["01A", "order/placed", 1, "o-1", "{}", null, [["01R", "shop-confirm", "shop", 1]]]],
  }),
);
after(() => {
  connection.db.close();
  rmSync(dir, { recursive: true });
});

/** Drive a query and collect how SQLite means to find the rows of each statement. */
function plansOf(work: Sql<unknown>): string[] {
  const plans: string[] = [];
  let step = work.next();
  while (!step.done) {
    const { sql, params } = step.value as Statement;
    const numbered = sql.replace(/\$(\d+)/g, "?$1");
    const plan = connection.db.prepare(`EXPLAIN QUERY PLAN ${numbered}`).all(...params);
    plans.push(plan.map((row) => row.detail).join("; "));
    step = work.next(connection.db.prepare(numbered).all(...params) as Row[]);
  }
  return plans;
}

const anyEvent: ListEventsArgs = {
  env: "dev",
  names: null,
  except: null,
  id: null,
  source: null,
  text: null,
  after: 0,
  before: 9e15,
  cursor: null,
  limit: 20,
  maxBytes: 1e6,
};
const anyRun: ListRunsArgs = {
  env: "dev",
  functions: null,
  app: null,
  statuses: null,
  event: null,
  after: null,
  before: null,
  cursor: null,
  limit: 20,
  maxBytes: 1e6,
};

function usesOnlyIndexes(plans: string[]): void {
  assert.ok(plans.length > 0);
  for (const plan of plans) {
    assert.doesNotMatch(plan, /SCAN (events|runs|steps|attempts|audit_log)/, plan);
    assert.doesNotMatch(plan, /TEMP B-TREE FOR ORDER BY/, plan);
  }
}

test("a page of events reads its rows from an index, in order, whatever is asked for", () => {
  const cases: [Partial<ListEventsArgs>, RegExp][] = [
    [{}, /events_received \(env=\? AND received_at/],
    [{ names: ["order/placed"] }, /events_name \(env=\? AND name=\? AND received_at/],
    [{ id: "o-1" }, /PRIMARY KEY \(env=\? AND id=\?\)/],
    [{ source: "key", text: "x" }, /events_received \(env=\? AND received_at/],
    [{ cursor: { received_at: 5, id: "x" }, after: 1 }, /events_received \(env=\? AND received_at/],
  ];
  for (const [args, index] of cases) {
    const plans = plansOf(listEvents({ ...anyEvent, ...args }));
    assert.match(plans[0]!, index);
    usesOnlyIndexes(plans);
    usesOnlyIndexes(plansOf(listEventSummaries({ ...anyEvent, ...args })));
  }
  const prefixed = plansOf(listEvents({ ...anyEvent, names: ["order/*"] }));
  assert.match(prefixed[0]!, /COVERING INDEX events_name \(env=\? AND name>\?\)/, "names are jumped through");
  usesOnlyIndexes(prefixed);
  const bySender = plansOf(listEvents({ ...anyEvent, id: "o-1" }));
  assert.match(bySender[1]!, /events_idempotency \(env=\? AND idempotency_id=\? AND received_at/);
});

test("a page of runs reads its rows from an index, in order, whatever is asked for", () => {
  const cases: [Partial<ListRunsArgs>, RegExp][] = [
    [{}, /PRIMARY KEY \(env=\? AND id>\? AND id<\?\)/],
    [{ app: "shop" }, /PRIMARY KEY \(env=\? AND id>\? AND id<\?\)/],
    [{ functions: ["shop-confirm"] }, /runs_function \(env=\? AND function_id=\? AND id>\? AND id<\?\)/],
    [{ event: "01A" }, /runs_event \(env=\? AND event_id=\? AND id>\? AND id<\?\)/],
    [{ statuses: ["failed", "queued"] }, /runs_noteworthy \(env=\? AND status=\? AND id>\? AND id<\?\)/],
    [{ statuses: ["completed"] }, /PRIMARY KEY \(env=\? AND id>\? AND id<\?\)/],
  ];
  for (const [args, index] of cases) {
    const plans = plansOf(listRuns({ ...anyRun, ...args }));
    assert.match(plans[0]!, index);
    usesOnlyIndexes(plans);
  }
});

test("single things and statistics are found by an index", () => {
  for (const id of ["01A", "o-1"]) {
    for (const plan of plansOf(findEvent({ env: "dev", id })))
      assert.match(plan, /^SEARCH .* (INDEX|PRIMARY KEY)/);
  }
  for (const plan of plansOf(findRun({ env: "dev", id: "01R" })))
    assert.match(plan, /^SEARCH .* PRIMARY KEY/);
  const stats = plansOf(
    eventStats({ env: "dev", names: null, except: null, after: 0, before: 100, bucketMs: 10 }),
  );
  for (const plan of stats) assert.match(plan, /SEARCH events USING COVERING INDEX events_received/);
  const named = plansOf(
    eventStats({ env: "dev", names: ["order/*"], except: null, after: 0, before: 100, bucketMs: 10 }),
  );
  for (const plan of named) assert.match(plan, /SEARCH events USING COVERING INDEX events_name/);
  for (const plan of [...stats, ...named].filter((each) => each.includes("runs"))) {
    assert.match(plan, /SEARCH hit USING COVERING INDEX runs_event \(env=\? AND event_id=\?\)/);
    assert.match(plan, /SEARCH runs USING PRIMARY KEY \(env=\? AND id=\?\)/);
  }
});

test("the runs of listed events are found by the index of events, not among all runs", () => {
  const [plan] = plansOf(runsOfEvents("dev", ["01A"]));
  assert.match(plan!, /SEARCH hit USING COVERING INDEX runs_event \(env=\? AND event_id=\?\)/);
  assert.match(plan!, /SEARCH runs USING PRIMARY KEY \(env=\? AND id=\?\)/);
  assert.doesNotMatch(plan!, /SCAN/);
});

test("statistics of runs read the newest of a range from an index", () => {
  const range = { env: "dev", after: 0, before: 100, bucketMs: 10 };
  const cases: [Sql<unknown>, RegExp][] = [
    [runStats({ ...range, functions: null, app: null }), /PRIMARY KEY \(env=\? AND id>\? AND id<\?\)/],
    [functionActivity(range), /PRIMARY KEY \(env=\? AND id>\? AND id<\?\)/],
    [
      runStats({ ...range, functions: ["shop-confirm"], app: "shop" }),
      /runs_function \(env=\? AND function_id=\? AND id>\? AND id<\?\)/,
    ],
    [
      functionStats({ ...range, functionId: "shop-confirm" }),
      /runs_function \(env=\? AND function_id=\? AND id>\? AND id<\?\)/,
    ],
  ];
  for (const [work, index] of cases) {
    const plans = plansOf(work);
    assert.match(plans[0]!, index);
    usesOnlyIndexes(plans);
  }
  const backlog = plansOf(functionStats({ ...range, functionId: "shop-confirm" }))[1]!;
  assert.match(backlog, /runs_noteworthy \(env=\? AND status=\? AND id<\?\)/);
});

test("a page of the audit log reads its rows from an index, in order, whatever is asked for", () => {
  const any = { actor: null, action: null, target: null, after: null, before: null, cursor: null };
  const cases: [Partial<ListAuditLogArgs>, RegExp][] = [
    [{}, /audit_log_1 \(id>\? AND id<\?\)/],
    [{ action: "user.*", after: 1, before: 9 }, /audit_log_1 \(id>\? AND id<\?\)/],
    [{ action: "user.updated" }, /audit_log_action \(action=\? AND id>\? AND id<\?\)/],
    [{ actor: "ada" }, /audit_log_actor \(actor_id=\? AND id>\? AND id<\?\)/],
    [{ target: "ada", actor: "ada" }, /audit_log_target \(target_id=\? AND id>\? AND id<\?\)/],
  ];
  for (const [args, index] of cases) {
    const plans = plansOf(listAuditLog({ ...any, limit: 20, maxBytes: 1e6, ...args }));
    assert.match(plans[0]!, index);
    usesOnlyIndexes(plans);
  }
  const byName = plansOf(listAuditLog({ ...any, limit: 20, maxBytes: 1e6, actor: "Ada" }));
  assert.match(byName[1]!, /audit_log_actor_name \(actor_name=\? AND id>\? AND id<\?\)/);
  for (const plan of plansOf(purgeAuditLog({ before: 1, limit: 10 }))) {
    assert.match(plan, /audit_log_1 \(id<\?\)/);
  }
});
