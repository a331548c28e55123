import type { RegisteredFunction, Registry, TriggeringEvent } from "../registry/registry.ts";
import type { PlannedRun } from "../store/commands/accept-events.ts";

/**
 * The runs an event starts: one for each function it triggers, due now or, for an event dated in the future, then.
 * @returns null when it triggers nothing
 */
export function planRuns(
  registry: Registry,
  env: string,
  event: TriggeringEvent,
  now: number,
  nextId: (now: number) => string,
): PlannedRun[] | null {
  const functions = registry.match(env, event);
  if (functions.length === 0) return null;
  const dueAt = Math.max(event.ts, now);
  return functions.map((fn: RegisteredFunction) => [nextId(now), fn.id, fn.appId, dueAt]);
}
