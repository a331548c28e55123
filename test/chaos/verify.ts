/** Holds what is stored against what was promised to senders and what the app has seen. */
import { APP, type ExpectedFunction, FAILURE_HANDLER, FUNCTIONS, linkKeys } from "./functions.ts";
import type { StepHistory } from "./journal.ts";
import type { Ledger } from "./ledger.ts";
import type { Stored, StoredEvent, StoredRun } from "./stored.ts";
import { verifySteps } from "./verify-steps.ts";
import { verifyWebhooks, type WebhookCounts } from "./verify-webhooks.ts";

export interface Verdict extends WebhookCounts {
  /** Events the service has acknowledged. */
  acknowledged: number;
  /** Events stored, without those the service itself sends. */
  stored: number;
  /** Acknowledged events that are not stored. */
  lost: number;
  runs: number;
  stepsExecuted: number;
  /** Executions of steps that were under way when the service was killed. */
  repeatsAllowed: number;
  /** Executions of steps that were completed. */
  repeatsForbidden: number;
  slowestRunMs: number;
  violations: string[];
}

/** Check everything, after the work has drained and the service has stopped. */
export function verify(stored: Stored, ledger: Ledger, histories: StepHistory[]): Verdict {
  const violations = [...ledger.violations];
  if (stored.integrity !== "ok") violations.push(`integrity_check: ${stored.integrity}`);
  for (const item of stored.queue) violations.push(`left in the queue: ${JSON.stringify(item)}`);

  const own = stored.events.filter((event) => event.name.startsWith("chaos/"));
  const lost = verifySent(own, ledger, stored, violations);
  const webhooks = verifyWebhooks(stored, ledger, violations);
  verifyRuns(stored, violations);
  const steps = verifySteps(stored, histories, violations);
  return {
    acknowledged: [...ledger.sent.values()].filter((event) => event.eventId !== null).length,
    stored: own.length,
    lost,
    runs: stored.runs.length,
    ...steps,
    ...webhooks,
    slowestRunMs: Math.max(0, ...stored.runs.map((run) => (run.ended_at ?? run.queued_at) - run.queued_at)),
    violations,
  };
}

/** Every acknowledged event is stored once under its id, and nothing is stored twice. @returns events lost */
function verifySent(events: StoredEvent[], ledger: Ledger, stored: Stored, violations: string[]): number {
  const byId = new Map(events.map((event) => [event.id, event]));
  const keyOf = (event: StoredEvent) => String((JSON.parse(event.data) as { key: unknown }).key);
  const timesStored = new Map<string, number>();
  for (const event of events) timesStored.set(keyOf(event), (timesStored.get(keyOf(event)) ?? 0) + 1);

  let lost = 0;
  for (const { key, name, eventId, deduplicated } of ledger.sent.values()) {
    const times = timesStored.get(key) ?? 0;
    if (times > 1) violations.push(`${key} is stored ${times} times`);
    timesStored.delete(key);
    if (eventId === null) continue;
    const event = byId.get(eventId);
    if (event === undefined) {
      lost++;
      violations.push(`${key} was acknowledged as ${eventId} and is lost`);
    } else if (event.name !== name || keyOf(event) !== key) {
      violations.push(`${key} was acknowledged as ${eventId}, which is ${event.name} ${event.data}`);
    }
    const claim = deduplicated ? stored.deduplication.find(({ id }) => id === key)?.event_id : eventId;
    if (claim !== eventId) violations.push(`the id ${key} belongs to ${claim}, answered was ${eventId}`);
  }

  for (const run of stored.runs) {
    if (run.function_id !== `${APP}-chain`) continue;
    for (const key of linkKeys(run.id)) {
      const times = timesStored.get(key) ?? 0;
      if (times !== 1) violations.push(`${key}, sent by a step, is stored ${times} times`);
      timesStored.delete(key);
    }
  }
  for (const key of timesStored.keys()) violations.push(`${key} is stored and was never sent`);
  return lost;
}

/** Each event has one run of each of its functions, each run its event, its end, and one event that tells of it. */
function verifyRuns(stored: Stored, violations: string[]): void {
  const runsOf = new Map<string, StoredRun[]>();
  for (const run of stored.runs) runsOf.set(run.event_id, [...(runsOf.get(run.event_id) ?? []), run]);
  const attemptsOf = new Map<string, number>();
  for (const { run_id } of stored.attempts) attemptsOf.set(run_id, (attemptsOf.get(run_id) ?? 0) + 1);
  const told = new Map<string, number>();

  for (const event of stored.events) {
    const runs = runsOf.get(event.id) ?? [];
    runsOf.delete(event.id);
    const wanted = functionsOf(event, told).sort().join(" ");
    const found = runs.map((run) => run.function_id).sort();
    if (found.join(" ") !== wanted) {
      violations.push(`${event.name} ${event.id} started [${found}], it should start [${wanted}]`);
    }
  }
  for (const [eventId, runs] of runsOf) {
    violations.push(`runs without their event ${eventId}: ${runs.map((run) => run.id)}`);
  }
  for (const run of stored.runs) {
    const { status, failedAttempts } = expectedOf(run);
    const attempts = attemptsOf.get(run.id) ?? 0;
    if (run.status !== status || attempts !== failedAttempts) {
      const why = stored.attempts.filter(({ run_id }) => run_id === run.id).map(({ error }) => error);
      violations.push(
        `${run.function_id} ${run.id} is ${run.status} after ${attempts} failed attempts, it should be ${status} after ${failedAttempts}: ${run.error} [${why}]`,
      );
    }
    const tells = run.function_id === `${APP}-${FAILURE_HANDLER}` ? 0 : 1;
    if ((told.get(run.id) ?? 0) !== tells) {
      violations.push(`${told.get(run.id) ?? 0} events tell of the end of ${run.function_id} ${run.id}`);
    }
  }
}

/** Ids of the functions an event starts; counts the events that tell of a run's end. */
function functionsOf(event: StoredEvent, told: Map<string, number>): string[] {
  if (!event.name.startsWith("svc/")) {
    const functions = Object.entries<ExpectedFunction>(FUNCTIONS);
    return functions.filter(([, fn]) => fn.triggers.includes(event.name)).map(([id]) => `${APP}-${id}`);
  }
  const { run_id } = JSON.parse(event.data) as { run_id: string };
  told.set(run_id, (told.get(run_id) ?? 0) + 1);
  return event.name === "svc/function.failed" ? [`${APP}-${FAILURE_HANDLER}`] : [];
}

/** What a run should have become. */
export function expectedOf(run: StoredRun): ExpectedFunction {
  const id = run.function_id.slice(APP.length + 1);
  if (id === FAILURE_HANDLER) return { triggers: [], steps: [], status: "completed", failedAttempts: 0 };
  return FUNCTIONS[id as keyof typeof FUNCTIONS];
}
