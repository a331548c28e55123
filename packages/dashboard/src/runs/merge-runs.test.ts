import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page, Run } from "../api/types.ts";
import { hasGap, mergeRuns } from "./merge-runs.ts";

const run = (id: string, status = "completed") => ({ id, status }) as Run;
const page = (more: boolean, ...data: Run[]): Page<Run> => ({
  data,
  page: { cursor: more ? "c" : null, has_more: more },
});
const shown = (runs: Run[]) => runs.map(({ id, status }) => `${id} ${status}`);

test("a run is shown as it was read last", () => {
  const listed = [run("3", "running"), run("2"), run("1")];
  assert.deepEqual(shown(mergeRuns(page(true, run("4", "queued"), run("3", "failed")), listed)), [
    "4 queued",
    "3 failed",
    "2 completed",
    "1 completed",
  ]);
});

test("a run that no longer fits the filter leaves the list, as far as the fresh page reaches", () => {
  const listed = [run("3", "running"), run("2", "running"), run("1", "running")];
  assert.deepEqual(shown(mergeRuns(page(true, run("4", "running"), run("2", "running")), listed)), [
    "4 running",
    "2 running",
    "1 running",
  ]);
  assert.deepEqual(mergeRuns(page(false), listed), []);
});

test("a fresh page that looked through rows without a hit hides nothing", () => {
  assert.equal(mergeRuns(page(true), [run("1")]).length, 1);
  assert.equal(mergeRuns(undefined, [run("1")]).length, 1);
});

test("what the list has read after the fresh page is kept", () => {
  assert.deepEqual(shown(mergeRuns(page(false, run("1")), [run("2"), run("1")])), [
    "2 completed",
    "1 completed",
  ]);
});

test("a gap is noticed when more came than the fresh page holds", () => {
  assert.equal(hasGap(page(true, run("9"), run("8")), [run("3")]), true);
  assert.equal(hasGap(page(true, run("9"), run("3")), [run("3")]), false);
  assert.equal(hasGap(page(false, run("9")), [run("3")]), false);
});
