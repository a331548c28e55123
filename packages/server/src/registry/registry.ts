/** The registry as the rest of the service sees it. */
import type { Dialect, FunctionConfig } from "@svc/protocol";

/** A function that events can trigger, ready to be called. */
export interface RegisteredFunction {
  env: string;
  /** `<app>-<function>` */
  id: string;
  appId: string;
  name: string;
  /** Where to call it: the url of its step, with fnId and without stepId. */
  url: string;
  dialect: Dialect;
  /** Attempts in all: retries + 1. */
  maxAttempts: number;
  paused: boolean;
  config: FunctionConfig;
}

/** The parts of an event that triggers and their expressions look at. */
export interface TriggeringEvent {
  id: string;
  name: string;
  ts: number;
  /** JSON text; parsed only when an expression asks for it. */
  data: string;
  extra: string | null;
}

export interface Registry {
  /** Every function this event triggers, each once. Synchronous: it stands on the hot path. */
  match(env: string, event: TriggeringEvent): RegisteredFunction[];
  /** A function by id; archived ones are gone. */
  find(env: string, functionId: string): RegisteredFunction | undefined;
}
