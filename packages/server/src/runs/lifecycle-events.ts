/** The events the service itself sends when a run ends. */
import { type Dialect, LIFECYCLE_EVENT_NAMES, type WireError } from "@svc/protocol";
import type { RunEnd } from "../store/commands/apply-transition.ts";
import { longerThan } from "../text-size.ts";
import type { RunState } from "./run-state.ts";

/** An output larger than this stays out of the event that tells of it, bytes. */
const MAX_RESULT_BYTES = 256 * 1024;

const NAMES: Record<RunEnd["status"], string | null> = {
  completed: "function.finished",
  failed: "function.failed",
  cancelled: "function.cancelled",
  skipped: null,
};

const LIFECYCLE_NAMES = new Set(LIFECYCLE_EVENT_NAMES);

/**
 * Name and data (JSON text) of the event that tells how a run ended, under the name of the app's dialect. A run
 * that such an event started tells nothing: it could start itself again for ever.
 */
export function lifecycleEvent(
  state: RunState,
  end: RunEnd,
  dialect: Dialect,
): { name: string; data: string } | null {
  const kind = NAMES[end.status];
  if (kind === null || LIFECYCLE_NAMES.has(state.eventName)) return null;
  const ids = `"function_id":${JSON.stringify(state.functionId)},"run_id":"${state.runId}"`;
  // Handlers of failures also look for `events`; the many that end well need not carry the event twice.
  const events = end.status === "completed" ? "" : `,"events":[${state.event}]`;
  return { name: `${dialect}/${kind}`, data: `{${ids},${outcome(end)}"event":${state.event}${events}}` };
}

function outcome({ status, output, error }: RunEnd): string {
  if (status === "completed") {
    const fits = output !== null && !longerThan(output, MAX_RESULT_BYTES);
    return fits ? `"result":${output},` : '"result":null,"result_omitted":true,';
  }
  const { name, message, stack } = JSON.parse(error ?? "{}") as Partial<WireError>;
  // `error.error` repeats the name: existing handlers read it there.
  return `"error":${JSON.stringify({ error: name, name, message, stack })},`;
}
