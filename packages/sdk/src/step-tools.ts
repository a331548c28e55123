/** The `step` object of a handler: what a user calls, turned into steps for the engine. */
import {
  type EventIdSeed,
  isUlid,
  type Opcode,
  parseDuration,
  parseMoment,
  sha1,
  ulidTime,
} from "@svc/protocol";
import { SdkError } from "./errors.ts";
import type { EventSchemas, Sendable } from "./event-types.ts";
import type { Jsonify } from "./json.ts";

/** A step's id, which is also how it is shown, or both apart. */
export type StepId = string | { id: string; name?: string };

/**
 * Durable steps. Each runs once: when the function is called again, a finished step is not repeated, its
 * result is read back. Ids must be stable; the same id used again in a run is counted (`id`, `id:1`, …).
 */
export interface StepTools<S extends EventSchemas = EventSchemas> {
  /**
   * Run `fn` and keep its result, which must be JSON. A throw is tried again as the function's `retries` say;
   * after the last attempt the promise rejects with a `StepError`.
   * @example const user = await step.run("load user", () => db.user(event.data.userId));
   */
  run<Args extends unknown[], Result>(
    id: StepId,
    fn: (...args: Args) => Result,
    ...args: Args
  ): Promise<Jsonify<Awaited<Result>>>;
  /**
   * Wait, up to a year, without holding a process.
   * @param duration milliseconds or a time string: `90s`, `2h30m`, `1d`
   * @example await step.sleep("cool down", "2h");
   */
  sleep(id: StepId, duration: number | string): Promise<void>;
  /**
   * Wait until a moment; one in the past ends at once.
   * @param moment a `Date`, an ISO 8601 date, or milliseconds since the epoch
   * @example await step.sleepUntil("trial ends", event.data.trialEndsAt);
   */
  sleepUntil(id: StepId, moment: Date | string | number): Promise<void>;
  /**
   * Send events exactly once, whatever is retried: the ids follow from the run and the step.
   * @returns the ids, in the order of the events
   * @example const { ids } = await step.sendEvent("tell", { name: "shop/order.paid", data: { orderId } });
   */
  sendEvent(id: StepId, events: Sendable<S> | Sendable<S>[]): Promise<{ ids: string[] }>;
}

/** What the engine needs to know of a step. */
export interface StepRequest {
  id: string;
  displayName: string;
  /** `StepRun` runs in the app; any other is carried out by the service. */
  op: Opcode;
  name: string;
  opts: Record<string, unknown>;
  /** Only for steps that run in the app. Gets the step's hash, and the input when the service replaced it. */
  run?: (hash: string, input: unknown[] | undefined) => unknown;
}

/** What the tools need of one call. */
export interface StepHost {
  runId: string;
  /** Hand a step to the engine; the promise settles with its memoised result. */
  request(step: StepRequest): Promise<unknown>;
  send(events: unknown, from: { seed: EventIdSeed; runId: string }): Promise<{ ids: string[] }>;
}

/** The `step` object of one call. */
export function createStepTools(host: StepHost): StepTools {
  return {
    run: (stepId, fn, ...args) => {
      const { id, name } = readId(stepId);
      if (typeof fn !== "function") {
        throw new SdkError(
          "step_function_missing",
          `Step "${id}": step.run() needs a function as its second argument.`,
        );
      }
      return host.request({
        id,
        displayName: name,
        op: "StepRun",
        name: id,
        opts: {},
        run: (_hash, input) => fn(...((input as typeof args | undefined) ?? args)),
      }) as ReturnType<StepTools["run"]> as never;
    },
    sleep: async (stepId, duration) => {
      const { id, name } = readId(stepId);
      if (parseDuration(duration) === undefined)
        throw invalidSleep(id, "milliseconds or a time string such as `2h30m`");
      const text = typeof duration === "number" ? `${Math.ceil(duration)}ms` : duration.trim();
      await host.request({ id, displayName: name, op: "Sleep", name: text, opts: {} });
    },
    sleepUntil: async (stepId, moment) => {
      const { id, name } = readId(stepId);
      await host.request({ id, displayName: name, op: "Sleep", name: isoMoment(id, moment), opts: {} });
    },
    sendEvent: (stepId, events) => {
      const { id, name } = readId(stepId);
      return host.request({
        id,
        displayName: name,
        op: "StepRun",
        name: "sendEvent",
        opts: { type: "step.sendEvent" },
        run: (hash, input) =>
          host.send(input?.[0] ?? events, { seed: stepSeed(host.runId, hash), runId: host.runId }),
      }) as Promise<{ ids: string[] }>;
    },
  };
}

/**
 * The seed of a step's events: the run's own time and ten bytes of the hash of run and step, so that a step
 * repeated after a crash sends under the same ids.
 */
export function stepSeed(runId: string, hash: string): EventIdSeed {
  const digest = sha1(`${runId}:${hash}`);
  const bytes = Uint8Array.from({ length: 10 }, (_, i) =>
    Number.parseInt(digest.slice(i * 2, i * 2 + 2), 16),
  );
  return { time: isUlid(runId) ? ulidTime(runId) : 0, bytes };
}

function readId(stepId: StepId): { id: string; name: string } {
  const id = typeof stepId === "object" && stepId !== null ? stepId.id : stepId;
  if (typeof id !== "string" || id === "") throw new SdkError("step_id_missing");
  return { id, name: (typeof stepId === "object" ? stepId.name : undefined) ?? id };
}

function isoMoment(id: string, moment: Date | string | number): string {
  const wanted = "a Date, an ISO 8601 date or milliseconds since the epoch";
  if (typeof moment === "string" && parseDuration(moment) !== undefined) throw invalidSleep(id, wanted);
  const time =
    moment instanceof Date ? moment.getTime() : typeof moment === "number" ? moment : parseMoment(moment, 0);
  if (time === undefined || Math.abs(time) > 8.64e15 || Number.isNaN(time)) throw invalidSleep(id, wanted);
  return new Date(time).toISOString();
}

function invalidSleep(id: string, wanted: string): SdkError {
  return new SdkError("sleep_invalid", `Step "${id}": the time to sleep must be ${wanted}.`);
}
