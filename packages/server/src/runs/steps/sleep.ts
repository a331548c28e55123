import { type Op, parseMoment } from "@svc/protocol";
import { type Draft, type DraftContext, failRun, limitError, memoise, planStep, stepName } from "../draft.ts";

/** `Sleep`: go on at a later moment, given as a time string or a date in `name` or `opts.duration`. */
export function sleep(draft: Draft, context: DraftContext, op: Op): void {
  const { now, limits } = context;
  // Older clients cannot say less than a second and send an empty text for it.
  const wanted = op.opts?.duration ?? op.name ?? "";
  const wakesAt = wanted === "" ? now : parseMoment(wanted, now);
  if (wakesAt === undefined) {
    failRun(draft, {
      name: "InvalidSleep",
      message: `Step "${stepName(op)}" sleeps for ${JSON.stringify(wanted).slice(0, 200)}, which is neither a time string such as "2h30m" nor a date.`,
    });
    return;
  }
  if (wakesAt - now > limits.sleepMs) {
    failRun(
      draft,
      limitError(`Step "${stepName(op)}" sleeps for more than a year, the longest a sleep may be.`),
    );
    return;
  }
  planStep(draft, context, op, { status: "sleeping", dueAt: Math.max(wakesAt, now) });
}

/** A sleep has ended: its step is memoised as `null`. */
export function wake(draft: Draft, context: DraftContext): void {
  const id = context.item.step_id;
  memoise(
    draft,
    { ...context, startedAt: context.state.steps.get(id)?.queuedAt ?? null },
    { id, op: "Sleep" },
    {
      output: "null",
    },
  );
}
