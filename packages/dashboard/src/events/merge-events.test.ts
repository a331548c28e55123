import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventRow, RunStatus } from "../api/types.ts";
import { hasGap, isUnfinished, MAX_KEPT, mergeEvents } from "./merge-events.ts";

const event = (id: string, ...statuses: RunStatus[]) =>
  ({
    id,
    received_at: id.padStart(8, "0"),
    runs: statuses.map((status, i) => ({ id: `${id}${i}`, function_id: "f", status })),
  }) as EventRow;
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

test("what a list has read that a pause holds back stays held back", () => {
  const rows = mergeEvents([event("2")], [], [event("4"), event("3"), event("2"), event("1")], [event("4")]);
  assert.deepEqual(shown(rows), ["3", "2", "1"]);
});

test("what was missed by the stream and listed afterwards stands above what came before it", () => {
  const rows = mergeEvents([event("5"), event("2")], [], [event("4"), event("3"), event("2"), event("1")]);
  assert.deepEqual(shown(rows), ["5", "4", "3", "2", "1"]);
});

test("there is a gap when more came live than is kept, and the list is older than all of it", () => {
  const live = Array.from({ length: MAX_KEPT }, (_, i) => event(String(5_000 - i)));
  const oldest = 5_001 - MAX_KEPT;
  assert.equal(hasGap(live, [event(String(oldest))]), false);
  assert.equal(hasGap(live, [event(String(oldest - 1))]), true);
  assert.equal(hasGap(live, []), true);
  assert.equal(hasGap(live.slice(1), []), false);
  assert.equal(hasGap([], []), false);
});

test("an event is unfinished while one of its runs is", () => {
  assert.equal(isUnfinished(event("1", "completed", "running")), true);
  assert.equal(isUnfinished(event("1", "completed", "failed")), false);
  assert.equal(isUnfinished(event("1")), false);
});
