/** A run as rows of spans on a time axis: its wait, its steps, every attempt. Times in ms since the epoch. */

import type { Attempt, RunStatus, RunStory, Step } from "../api/types.ts";
import { roundStep } from "../parts/time-ticks.ts";

/** `retry` is the pause between two attempts. */
export type SpanKind = "queued" | "running" | "completed" | "failed" | "cancelled" | "sleeping" | "retry";

export interface Span {
  kind: SpanKind;
  from: number;
  to: number;
  /** It goes on: `to` is the present. */
  open: boolean;
}

export interface TimelineRow {
  /** `run`, id of a step, or `calls` for the failed calls of the function as a whole. */
  key: string;
  name: string;
  /** `Run`, `StepRun`, `Sleep`, … */
  op: string;
  status: RunStatus | Step["status"];
  spans: Span[];
  /** Calls that are known. */
  attempts: number;
  /** Taken over from the run that this one repeats: it took no time here. */
  kept?: true;
}

export interface Timeline {
  rows: TimelineRow[];
  from: number;
  to: number;
}

/**
 * @param now the present; spans that go on end there
 * @example timelineOf(run, Date.now()).rows[0].name // "Run"
 */
export function timelineOf(run: RunStory, now: number): Timeline {
  const from = Date.parse(run.queued_at);
  const ended = time(run.ended_at);
  const present = ended ?? Math.max(now, from);
  const steps = run.steps.map((step) => stepRow(step, present, ended !== null));
  const failed = failedCallRows(run, present, ended !== null);
  const others = [...steps, ...failed]
    .map((row, place) => ({ row, place, at: row.kept === true ? from : (row.spans[0]?.from ?? present) }))
    .sort((a, b) => a.at - b.at || a.place - b.place)
    .map(({ row }) => row);
  const rows = [runRow(run, from, present), ...others];
  const spans = rows.flatMap((row) => row.spans);
  return {
    rows,
    from: spans.reduce((least, span) => Math.min(least, span.from), from),
    // An app's clock may be ahead of the service's.
    to: spans.reduce((most, span) => Math.max(most, span.to), Math.max(present, from + 1)),
  };
}

function runRow(run: RunStory, from: number, present: number): TimelineRow {
  const started = time(run.started_at);
  const open = run.ended_at === null;
  const spans: Span[] = [];
  const waitEnd = started ?? present;
  if (waitEnd > from) spans.push({ kind: "queued", from, to: waitEnd, open: open && started === null });
  if (started !== null) {
    spans.push({ kind: runKind(run.status), from: started, to: Math.max(started, present), open });
  }
  return { key: "run", name: "Run", op: "Run", status: run.status, spans, attempts: run.attempts };
}

function runKind(status: RunStory["status"]): SpanKind {
  if (status === "skipped") return "cancelled";
  return status === "queued" ? "running" : status;
}

function stepRow(step: Step, present: number, runEnded: boolean): TimelineRow {
  const { id, name, op, status, attempts } = step;
  const queued = time(step.queued_at) ?? present;
  const row = { key: id, name, op, status, attempts: attempts.length };
  if (step.kept) return { ...row, spans: [], kept: true };
  if (op === "Sleep" || status === "sleeping") {
    const end = time(step.ended_at);
    const to = end ?? present;
    return {
      ...row,
      spans: [{ kind: "sleeping", from: Math.min(queued, to), to, open: end === null && !runEnded }],
    };
  }
  const spans = attemptSpans(attempts);
  const first = spans[0]?.from ?? present;
  if (queued < first) {
    spans.unshift({ kind: "queued", from: queued, to: first, open: attempts.length === 0 && !runEnded });
  }
  if (status === "planned" && attempts.length > 0 && !runEnded) spans.push(pauseUntil(spans, present));
  return { ...row, spans };
}

/** Failed calls that belong to no finished step: of the function, and of steps that have not finished. */
function failedCallRows(run: RunStory, present: number, runEnded: boolean): TimelineRow[] {
  const byStep = Map.groupBy(run.failed_calls, ({ step_id }) => step_id);
  return [...byStep].map(([stepId, calls]) => {
    const spans = attemptSpans(calls);
    const goesOn = !runEnded && spans.length > 0;
    if (goesOn) spans.push(pauseUntil(spans, present));
    return {
      key: stepId ?? "calls",
      name: stepId === null ? "Function" : (calls.at(-1)!.step_name ?? `Step ${stepId.slice(0, 8)}`),
      op: stepId === null ? "Call" : "StepRun",
      status: goesOn ? ("planned" as const) : ("failed" as const),
      spans,
      attempts: calls.length,
    };
  });
}

function pauseUntil(spans: readonly Span[], present: number): Span {
  const last = spans.at(-1)!;
  return { kind: "retry", from: last.to, to: Math.max(last.to, present), open: true };
}

/** Attempts in the order of time, with the pauses between them. */
function attemptSpans(attempts: readonly Attempt[]): Span[] {
  const spans: Span[] = [];
  const timed = attempts
    .map((attempt) => ({ attempt, from: time(attempt.started_at), to: time(attempt.ended_at) }))
    .filter(({ from, to }) => from !== null || to !== null)
    .sort((a, b) => (a.from ?? a.to!) - (b.from ?? b.to!));
  for (const { attempt, from, to } of timed) {
    const begin = from ?? to!;
    const last = spans.at(-1);
    if (last !== undefined && last.to < begin) {
      spans.push({ kind: "retry", from: last.to, to: begin, open: false });
    }
    spans.push({ kind: attempt.status, from: begin, to: Math.max(begin, to ?? begin), open: false });
  }
  return spans;
}

function time(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
export interface Tick {
  /** ms since the beginning of the axis. */
  at: number;
  text: string;
}

/**
 * Marks on the axis at round distances from its beginning.
 * @param most at most this many
 * @example ticksOf({ from: 0, to: 1_000 }, 5).map(({ text }) => text) // ["0", "200 ms", "400 ms", …]
 */
export function ticksOf(view: { from: number; to: number }, most: number): Tick[] {
  const span = view.to - view.from;
  const step = roundStep(span, most);
  const ticks: Tick[] = [];
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
    ticks.push({ at, text: offsetText(at, step) });
  }
  return ticks;
}

/** A moment of a run, as precise as the distance of the marks asks for. */
export function offsetText(ms: number, step: number): string {
  if (ms === 0) return "0";
  if (ms < SECOND) return `${ms} ms`;
  if (ms < MINUTE) return `${Number((ms / SECOND).toFixed(step < SECOND ? 3 : 0))} s`;
  const rest = ms % MINUTE;
  const seconds = step < MINUTE ? ` ${Number((rest / SECOND).toFixed(step < SECOND ? 3 : 0))} s` : "";
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} m${seconds}`;
  const minutes = step < HOUR ? ` ${Math.floor((ms % HOUR) / MINUTE)} m` : "";
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h${minutes}${seconds}`;
  const hours = step < DAY ? ` ${Math.floor((ms % DAY) / HOUR)} h` : "";
  return `${Math.floor(ms / DAY)} d${hours}${minutes}${seconds}`;
}
