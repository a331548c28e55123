/** Holds the stored steps against the executions that the app has counted. */
import { SHAKY_STEP, UNCOUNTED_STEPS, WHOLE_BODY } from "./functions.ts";
import type { StepHistory } from "./journal.ts";
import type { Stored, StoredRun, StoredStep } from "./stored.ts";
import { expectedOf } from "./verify.ts";

export interface StepCounts {
  stepsExecuted: number;
  repeatsAllowed: number;
  repeatsForbidden: number;
}

/**
 * Every run has exactly its steps, all completed, and its output is made of theirs. The stored output of a step says
 * which execution it came from: none may have begun after that one, or a completed step has run again.
 */
export function verifySteps(stored: Stored, histories: StepHistory[], violations: string[]): StepCounts {
  const counts: StepCounts = { stepsExecuted: 0, repeatsAllowed: 0, repeatsForbidden: 0 };
  const history = new Map(histories.map((each) => [`${each.runId}/${each.step}`, each]));
  const stepsOf = new Map<string, StoredStep[]>();
  for (const step of stored.steps) stepsOf.set(step.run_id, [...(stepsOf.get(step.run_id) ?? []), step]);

  const verifyExecution = (run: StoredRun, step: string, output: string | null): void => {
    const seen = history.get(`${run.id}/${step}`);
    const { execution } = (JSON.parse(output ?? "null") ?? {}) as { execution?: number };
    if (seen === undefined || execution === undefined) {
      violations.push(
        `step "${step}" of ${run.function_id} ${run.id} has the output ${output}, unknown to the app`,
      );
      return;
    }
    if (seen.last !== execution || seen.ranAfterAcknowledgement) {
      counts.repeatsForbidden++;
      violations.push(
        `step "${step}" of ${run.function_id} ${run.id} ran again after it was completed: stored is execution ${execution}, the last of ${seen.executions} was ${seen.last}${seen.ranAfterAcknowledgement ? ", begun after an acknowledged checkpoint" : ""}`,
      );
    }
  };

  for (const run of stored.runs) {
    const steps = stepsOf.get(run.id) ?? [];
    const expected = expectedOf(run);
    const names = steps.map((step) => step.name).sort();
    const open = steps.filter((step) => step.status !== "completed").map((step) => step.name);
    if (names.join() !== [...expected.steps].sort().join() || open.length > 0) {
      violations.push(`${run.function_id} ${run.id} has the steps [${names}], not completed [${open}]`);
    }
    if (expected.steps.length === 0) verifyExecution(run, WHOLE_BODY, run.output);
    for (const { name, output } of steps) {
      if (!UNCOUNTED_STEPS.has(name)) verifyExecution(run, name, output);
    }
    if (run.status === "completed" && expected.steps.length > 0) {
      const outputOf = (name: string) => steps.find((step) => step.name === name)?.output;
      const outputs = expected.steps.filter((name) => name !== "pause").map(outputOf);
      if (run.output !== `[${outputs.join()}]`) {
        violations.push(`${run.function_id} ${run.id} returned ${run.output}, its steps [${outputs.join()}]`);
      }
    }
  }
  for (const { step, executions } of histories) {
    counts.stepsExecuted += executions;
    // Steps whose executions nobody counts have none here.
    counts.repeatsAllowed += Math.max(0, executions - (step === SHAKY_STEP ? 2 : 1));
  }
  counts.repeatsAllowed -= counts.repeatsForbidden;
  return counts;
}
