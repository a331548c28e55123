import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventRow, RunStatus } from "../api/types.ts";
import { isUnfinished, mergeEvents } from "./merge-events.ts";

const event = (id: string, ...statuses: RunStatus[]) =>
  ({ id, runs: statuses.map((status, i) => ({ id: `${id}${i}`, function_id: "f", status })) }) as EventRow;
const shown = (events: EventRow[]) =>
  events.map(({ id, runs }) => [id, ...runs.map(({ status }) => status)].join(" "));

test("an event that came live and is listed, too, stands once, and newest first", () => {
  const rows = mergeEvents([event("3"), event("2")], [], [event("2"), event("1")]);
  assert.deepEqual(shown(rows), ["3", "2", "1"]);
});

test("runs are shown as they were read last, and never go back from an end", () => {
  const rows = mergeEvents(
    [event("3", "queued")],
    [event("3", "completed"), event("2", "queued")],
    [event("2", "failed")],
  );
  assert.deepEqual(shown(rows), ["3 completed", "2 failed"]);
});

test("what is held back by a pause does not come in by another way", () => {
  assert.deepEqual(shown(mergeEvents([], [event("9")], [event("1")])), ["1"]);
});

test("an event is unfinished while one of its runs is", () => {
  assert.equal(isUnfinished(event("1", "completed", "running")), true);
  assert.equal(isUnfinished(event("1", "completed", "failed")), false);
  assert.equal(isUnfinished(event("1")), false);
});
