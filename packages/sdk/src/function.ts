/** Functions as users define them, and as they are registered with the service. */
import type { FunctionConfig } from "@svc/protocol";
import { SdkError } from "./errors.ts";
import type { AnyData, EventSchemas, ReceivedEvent, Trigger } from "./event-types.ts";
import type { Logger } from "./logger.ts";
import type { StepTools } from "./step-tools.ts";

/** What a handler gets. */
export interface HandlerContext<Event = ReceivedEvent, S extends EventSchemas = EventSchemas> {
  /** The event that started the run. */
  event: Event;
  /** All events of the run; one, unless the function takes batches. */
  events: Event[];
  /** Durable steps. */
  step: StepTools<S>;
  runId: string;
  /** Attempt of this call, from 0. */
  attempt: number;
  /** Attempts in all, before a failure is final. */
  maxAttempts: number;
  /**
   * Silent while finished steps are replayed, so that each line is written once. What it writes shows with the run in
   * the dashboard, too.
   */
  logger: Logger;
}

/** Data of `svc/function.failed`. */
export interface FailureData {
  /** `<app>-<function>` */
  function_id: string;
  run_id: string;
  error: { name: string; message: string; stack?: string };
  /** The event that started the failed run. */
  event: ReceivedEvent;
  events?: ReceivedEvent[];
}

/** What `onFailure` gets: the handler's context for the failure event, the error, and the original event. */
export interface FailureContext<Event = ReceivedEvent, S extends EventSchemas = EventSchemas>
  extends HandlerContext<ReceivedEvent<"svc/function.failed", FailureData>, S> {
  /** The error that ended the run. */
  error: Error;
  /** The event that started the failed run. */
  originalEvent: Event;
}

export interface FunctionOptions<Event = ReceivedEvent, S extends EventSchemas = EventSchemas> {
  /** Unique in the app, and stable: runs in flight find their code by it. */
  id: string;
  /** For people. Default: the id. */
  name?: string;
  /** Further attempts after a failed one, of every step and of the function; 0 to 20. Default: 4. */
  retries?: number;
  /** Runs as a function of its own, `<id>-failure`, once a run has failed for good. */
  onFailure?: (context: FailureContext<Event, S>) => unknown;
  /** Report steps while the call goes on, instead of one call per step. Default: the client's setting. */
  checkpointing?: boolean;
  /** End a call after this many milliseconds and continue in the next; 0 for no bound. Default: the client's. */
  maxRuntime?: number;
}

/** A function ready to be served. */
export interface SvcFunction {
  /** Id within the app. */
  readonly id: string;
  readonly name: string;
  readonly triggers: { event: string; if?: string }[];
  readonly retries: number | undefined;
  readonly checkpointing: boolean | undefined;
  readonly maxRuntime: number | undefined;
  /** Called with the context of `HandlerContext`, whatever its event type. */
  readonly handler: (context: HandlerContext) => unknown;
  /** The function that handles failures of this one. */
  readonly failure: SvcFunction | undefined;
}

const MAX_RETRIES = 20;

/** Check a definition and bring it into one form. */
export function defineFunction(
  appId: string,
  options: FunctionOptions,
  trigger: Trigger | readonly Trigger[],
  handler: (context: HandlerContext) => unknown,
): SvcFunction {
  const { id, retries, onFailure } = options;
  if (typeof id !== "string" || !id.trim()) throw new SdkError("function_id_missing");
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0 && retries <= MAX_RETRIES)) {
    throw new SdkError(
      "retries_invalid",
      `Function "${id}": \`retries\` must be a whole number from 0 to 20.`,
    );
  }
  const base = {
    name: options.name ?? id,
    retries,
    checkpointing: options.checkpointing,
    maxRuntime: options.maxRuntime,
  };
  return {
    ...base,
    id,
    triggers: normaliseTriggers(id, trigger),
    handler,
    failure: onFailure && {
      ...base,
      id: `${id}-failure`,
      name: `${base.name} (failure)`,
      triggers: [
        { event: "svc/function.failed", if: `event.data.function_id == ${celText(`${appId}-${id}`)}` },
      ],
      handler: (context) => onFailure(failureContext(context)),
      failure: undefined,
    },
  };
}

/** The registration of functions served at `url`. */
export function functionConfigs(
  appId: string,
  functions: readonly SvcFunction[],
  url: string,
): FunctionConfig[] {
  return functions.map((fn) => {
    const id = `${appId}-${fn.id}`;
    const target = new URL(url);
    target.searchParams.set("fnId", id);
    target.searchParams.set("stepId", "step");
    return {
      id,
      name: fn.name,
      triggers: fn.triggers.map((t) =>
        t.if === undefined ? { event: t.event } : { event: t.event, expression: t.if },
      ),
      steps: {
        step: {
          id: "step",
          name: "step",
          runtime: { type: "http", url: target.href },
          ...(fn.retries === undefined ? {} : { retries: { attempts: fn.retries } }),
        },
      },
    };
  });
}

function normaliseTriggers(id: string, trigger: Trigger | readonly Trigger[]): SvcFunction["triggers"] {
  const list = Array.isArray(trigger) ? (trigger as readonly Trigger[]) : [trigger as Trigger];
  const triggers = list.map((item) => {
    const event = typeof item === "string" ? item : item?.event;
    if (typeof event !== "string" || !event.trim()) throw missingTrigger(id);
    const condition = typeof item === "string" ? undefined : item.if;
    return condition === undefined ? { event } : { event, if: condition };
  });
  if (triggers.length === 0) throw missingTrigger(id);
  return triggers;
}

function missingTrigger(id: string): SdkError {
  return new SdkError(
    "trigger_missing",
    `Function "${id}" needs at least one trigger: an event name or \`{ event }\`.`,
  );
}

/** A text as a CEL string literal. */
function celText(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

function failureContext(context: HandlerContext): FailureContext {
  const event = context.event as ReceivedEvent<"svc/function.failed", FailureData>;
  const { error: wire, event: originalEvent } = event.data as AnyData as FailureData;
  const error = new Error(wire?.message ?? "The function failed.");
  error.name = wire?.name ?? "Error";
  if (wire?.stack) error.stack = wire.stack;
  return { ...context, event, events: [event], error, originalEvent };
}
