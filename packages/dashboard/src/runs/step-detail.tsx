import type { ReactNode } from "react";
import type { Attempt, FailedCall, RunStory, Step } from "../api/types.ts";
import { ErrorText } from "../parts/error-text.tsx";
import { Id } from "../parts/id.tsx";
import { JsonViewer } from "../parts/json-viewer.tsx";
import { Facts, PanelSection } from "../parts/side-panel.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { absoluteTime, durationText, Time } from "../parts/time.tsx";
import { RerunFromStep } from "./rerun.tsx";
import { RunLink } from "./run-link.tsx";

/** One step of a run: what it was given, what it gave back, how its attempts went. */
export function StepDetail({ run, step }: { run: RunStory; step: Step }) {
  const { attempts } = step;
  const facts: [string, ReactNode][] = [
    ["Status", <StatusBadge key="status" status={step.status} />],
    ["Kind", step.op],
    ...(step.kept ? keptFacts(run) : timeFacts(step)),
    ...(step.wakes_at === null
      ? []
      : [["Wakes", <Moment key="wakes" at={step.wakes_at} />] as [string, ReactNode]]),
    ["Id", <Id key="id" id={step.id} />],
  ];
  return (
    <>
      <PanelSection title={`Step ${step.name}`}>
        <Facts facts={facts} />
        <p className="mt-3">
          <RerunFromStep runId={run.id} stepId={step.id} />
        </p>
      </PanelSection>
      {step.error !== null && (
        <PanelSection title="Error">
          <ErrorText error={step.error} />
        </PanelSection>
      )}
      {(attempts.length > 1 || (attempts.length === 1 && step.status === "planned")) && (
        <Attempts attempts={attempts} last={step.error === null} />
      )}
      {step.op !== "Sleep" && (
        <PanelSection title="Output">
          {step.status === "completed" ? (
            <JsonViewer label="Output of the step" root="output" value={step.output} />
          ) : (
            <p className="text-muted">
              {step.status === "failed" ? "The step has failed." : "Not there yet."}
            </p>
          )}
        </PanelSection>
      )}
      {step.input !== null && (
        <PanelSection title="Input">
          <JsonViewer label="Input of the step" root="input" value={step.input} />
        </PanelSection>
      )}
    </>
  );
}

function timeFacts({ attempts, started_at, queued_at, ended_at }: Step): [string, ReactNode][] {
  return [
    ["Started", <Moment key="started" at={attempts[0]?.started_at ?? started_at ?? queued_at} />],
    ["Ended", <Moment key="ended" at={ended_at} />],
  ];
}

function keptFacts({ rerun_of }: RunStory): [string, ReactNode][] {
  return rerun_of === null ? [] : [["Taken over from", <RunLink key="kept" id={rerun_of} />]];
}

/** Failed calls that belong to no step that has finished. */
export function FailedCallsDetail({ run, calls }: { run: RunStory; calls: readonly FailedCall[] }) {
  const { step_id: stepId, step_name: name } = calls[0]!;
  return (
    <>
      <PanelSection
        title={stepId === null ? "Calls of the function that failed" : `Step ${name ?? stepId.slice(0, 8)}`}
      >
        <p className="text-muted">
          {stepId === null
            ? "The app could not be reached, or the function has thrown outside of its steps."
            : "The step has failed so far."}
        </p>
        {stepId !== null && (
          <p className="mt-3">
            <RerunFromStep runId={run.id} stepId={stepId} />
          </p>
        )}
      </PanelSection>
      <Attempts attempts={calls} last />
    </>
  );
}

/** Every attempt, the last one first. @param last whether the error of the last one is shown here */
function Attempts({ attempts, last }: { attempts: readonly Attempt[]; last: boolean }) {
  return (
    <PanelSection title={`Attempts (${attempts.length})`}>
      <ol className="flex flex-col gap-2">
        {attempts.toReversed().map((attempt, place) => (
          <li key={`${attempt.attempt}${attempt.started_at}`}>
            <div className="flex min-h-6 items-center gap-3">
              <span className="tabular w-16 shrink-0 text-muted">Attempt {attempt.attempt + 1}</span>
              <StatusBadge status={attempt.status} />
              <span className="tabular text-muted">{took(attempt)}</span>
              <span className="flex-1" />
              <span className="text-muted">
                {attempt.started_at !== null && <Time at={attempt.started_at} />}
              </span>
            </div>
            {attempt.error !== null && (place > 0 || last) && <ErrorText error={attempt.error} />}
          </li>
        ))}
      </ol>
    </PanelSection>
  );
}

function took({ started_at, ended_at }: Attempt): string {
  return started_at === null || ended_at === null
    ? ""
    : durationText(Math.max(0, Date.parse(ended_at) - Date.parse(started_at)));
}

/** A moment of the run, to the millisecond. */
export function Moment({ at }: { at: string | null | undefined }) {
  if (at === null || at === undefined) return <span className="text-muted">not yet</span>;
  return <span className="tabular">{absoluteTime(Date.parse(at))}</span>;
}
