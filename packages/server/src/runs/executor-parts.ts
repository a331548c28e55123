/** What the executor is built from. */
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Logger } from "../observe/log.ts";
import type { Registry } from "../registry/registry.ts";
import type { AcceptedEvent } from "../store/commands/accept-events.ts";
import type { RunEnd } from "../store/commands/apply-transition.ts";
import type { Store } from "../store/store.ts";
import type { Answer } from "./answer.ts";
import type { AppCaller } from "./call-app.ts";

export interface ExecutorParts {
  store: Store;
  registry: Registry;
  caller: AppCaller;
  clock: Clock;
  config: Pick<Config, "mode" | "appConcurrency" | "retryBaseMs" | "maxStepsPerRun">;
  logger: Logger;
  /** A new ULID. */
  nextId(now: number): string;
  /** The key that signs calls of an environment; null when calls are not signed. */
  signingKey(env: string): string | null;
  /** What people call an environment: apps are told the name. */
  environmentName(env: string): string;
  observer: ExecutorObserver;
}

/** Who is told what happens: metrics and the live view. */
export interface ExecutorObserver {
  runStarted(): void;
  runEnded(status: RunEnd["status"]): void;
  called(outcome: Answer["kind"], seconds: number): void;
  /** An event that the service itself sent was stored. */
  emitted(env: string, functionId: string, event: AcceptedEvent): void;
}
