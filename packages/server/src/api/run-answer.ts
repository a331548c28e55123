/** Runs as the API shows them. */

import { LOG_LEVELS } from "@svc/protocol";
import * as z from "zod";
import type { RunStory } from "../store/queries/find-run.ts";
import type { AttemptRecord, ListedRun, StepRecord } from "../store/records.ts";
import { isoTime, toIso } from "./answers.ts";
import type { ApiParts } from "./parts.ts";

export const RUN_STATUSES = ["queued", "running", "completed", "failed", "cancelled", "skipped"] as const;

const wireError = z
  .looseObject({ name: z.string(), message: z.string(), stack: z.string().optional() })
  .meta({ id: "RunError" });

const attemptSchema = z
  .object({
    attempt: z.int().describe("From 0."),
    status: z.enum(["completed", "failed"]),
    error: wireError.nullable(),
    started_at: isoTime.nullable(),
    ended_at: isoTime.nullable(),
  })
  .meta({ id: "Attempt" });

const stepSchema = z
  .object({
    id: z.string().describe("Hash of the step's id, as the app knows it."),
    name: z.string().describe("The id that the step's author wrote."),
    op: z.string().describe("`StepRun`, `Sleep`, …"),
    status: z.enum(["planned", "sleeping", "completed", "failed"]),
    input: z.unknown(),
    output: z.unknown(),
    error: wireError.nullable(),
    attempts: z.array(attemptSchema),
    queued_at: isoTime.nullable(),
    started_at: isoTime.nullable(),
    ended_at: isoTime.nullable(),
    wakes_at: isoTime.nullable().describe("When a sleep ends."),
    kept: z.boolean().describe("Taken over from the run that this one repeats: it was not run again."),
  })
  .meta({ id: "Step" });

export const runSchema = z
  .object({
    id: z.string(),
    function_id: z.string(),
    function_name: z.string().describe("The function's id when the function is gone."),
    app: z.string(),
    event_ids: z.array(z.string()),
    event_name: z.string().nullable().describe("Null when the event is no longer kept."),
    status: z.enum(RUN_STATUSES),
    output: z.unknown(),
    error: wireError.nullable(),
    queued_at: isoTime,
    started_at: isoTime.nullable(),
    ended_at: isoTime.nullable(),
    attempts: z.int().describe("Calls to the app so far, counting what is under way as one."),
    rerun_of: z.string().nullable().describe("Id of the run that this one repeats."),
    kept_steps: z.int().describe("Finished steps taken over from that run."),
  })
  .meta({ id: "Run" });

const logSchema = z
  .object({
    at: isoTime,
    level: z.enum(LOG_LEVELS),
    text: z.string(),
    step_id: z.string().nullable().describe("The step that wrote it; null outside of steps."),
    attempt: z
      .int()
      .nullable()
      .describe("Of the call that wrote it, from 0; null for a line of the service."),
  })
  .meta({ id: "LogLine" });

export const runStorySchema = runSchema
  .extend({
    steps: z.array(stepSchema),
    failed_calls: z
      .array(
        attemptSchema.extend({
          step_id: z.string().nullable(),
          step_name: z.string().nullable().describe("The id that the step's author wrote, if it is known."),
        }),
      )
      .describe(
        "Failed calls that belong to no step above: to the function as a whole (`step_id` null), or to a step that has not finished yet.",
      ),
    logs: z
      .array(logSchema)
      .describe("What the function has logged, oldest first. Apps on our own SDK send their lines."),
  })
  .meta({ id: "RunStory" });

type RunParts = Pick<ApiParts, "registry" | "operations">;

/** A run as JSON text, without its steps. */
export function runText(run: ListedRun, { registry, operations }: RunParts): string {
  const unfinished = run.status === "queued" || run.status === "running";
  const underWay = unfinished && operations.isRunning(run.env, run.id);
  const facts = {
    id: run.id,
    function_id: run.function_id,
    function_name: registry.find(run.env, run.function_id)?.name ?? run.function_id,
    app: run.app_id,
    event_ids: [run.event_id],
    event_name: run.event_name,
    status: underWay ? "running" : run.status,
    queued_at: toIso(run.queued_at),
    started_at: toIso(run.started_at),
    ended_at: toIso(run.ended_at),
    attempts: run.attempts + (underWay ? 1 : 0),
    rerun_of: run.rerun_of,
    kept_steps: run.kept_steps,
  };
  return withJson(facts, { output: run.output, error: run.error });
}

/** A run as JSON text, with its steps, their attempts and its log lines. */
export function runStoryText({ run, steps, attempts, logs }: RunStory, parts: RunParts): string {
  const byStep = Map.groupBy(attempts, (attempt) => attempt.step_id);
  const stepTexts = steps.map((step) => {
    const failed = byStep.get(step.id) ?? [];
    byStep.delete(step.id);
    return stepText(step, failed, step.position !== null && step.position < run.kept_steps);
  });
  const failedCalls = [...byStep.values()].flat().map(failedCallText);
  return `${runText(run, parts).slice(0, -1)},"steps":[${stepTexts.join(",")}],"failed_calls":[${failedCalls.join(",")}],"logs":${logs}}`;
}

function stepText(step: StepRecord, failed: AttemptRecord[], kept: boolean): string {
  const attempts = failed.map(attemptText);
  // The table of attempts has failures only; how the step ended, its own record tells.
  if (
    !kept &&
    ((step.status === "completed" && step.op !== "Sleep") ||
      (step.status === "failed" && failed.length === 0))
  ) {
    const last = {
      attempt: failed.length,
      status: step.status,
      started_at: toIso(step.started_at),
      ended_at: toIso(step.ended_at),
    };
    attempts.push(withJson(last, { error: step.error }));
  }
  const facts = {
    id: step.id,
    name: step.name,
    op: step.op,
    status: step.status,
    queued_at: toIso(step.queued_at),
    started_at: toIso(step.started_at),
    ended_at: toIso(step.ended_at),
    wakes_at: toIso(step.wakes_at),
    kept,
  };
  return withJson(facts, {
    // What a planned step keeps as its input concerns the executor only.
    input: step.status === "planned" ? null : step.input,
    output: step.output,
    error: step.error,
    attempts: `[${attempts.join(",")}]`,
  });
}

function attemptText({ attempt, error, started_at, ended_at }: AttemptRecord): string {
  const facts = { attempt, status: "failed", started_at: toIso(started_at), ended_at: toIso(ended_at) };
  return withJson(facts, { error });
}

function failedCallText(attempt: AttemptRecord): string {
  const stepId = attempt.step_id === "step" ? null : attempt.step_id;
  const facts = JSON.stringify({ step_id: stepId, step_name: attempt.step_name });
  return `${facts.slice(0, -1)},${attemptText(attempt).slice(1)}`;
}

/** An object as JSON text, with further members that are JSON text already. */
function withJson(facts: Record<string, unknown>, json: Record<string, string | null>): string {
  const members = Object.entries(json).map(([name, text]) => `"${name}":${text ?? "null"}`);
  return `${JSON.stringify(facts).slice(0, -1)},${members.join(",")}}`;
}
