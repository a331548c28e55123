/** Steps and transitions as the suite writes them, ordinary but for what a test names. */
import type { StepWrite, Transition } from "../../src/store/commands/apply-transition.ts";
import { T0 } from "./engine-under-test.ts";

/** The answer of a run's first call: nothing but what `fields` say. */
export function transition(runId: string, fields: Partial<Transition> = {}): Transition {
  return {
    env: "dev",
    runId,
    appId: "app",
    functionId: "app-fn",
    now: T0 + 10,
    item: runId,
    keepItem: false,
    startedAt: T0 + 5,
    requestVersion: 2,
    steps: [],
    failedAttempts: [],
    enqueue: [],
    end: null,
    emit: [],
    ...fields,
  };
}

/** A step that completed first. */
export function step(fields: Partial<StepWrite> = {}): StepWrite {
  return {
    id: "a".repeat(40),
    name: "first",
    op: "StepRun",
    status: "completed",
    position: 0,
    input: null,
    output: "1",
    error: null,
    queued_at: T0,
    started_at: T0,
    ended_at: T0 + 1,
    wakes_at: null,
    ...fields,
  };
}
