/** What the API's routes are built from. Each group of routes asks for the parts it needs. */
import type { IncomingHttpHeaders } from "node:http";
import type { Access } from "../access/access.ts";
import type { Sealer } from "../access/keys/secrets.ts";
import type { LoginGuard } from "../access/people/login-guard.ts";
import type { Passwords } from "../access/people/passwords.ts";
import type { SetupLink } from "../access/people/setup-link.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { AppScan, AppTarget } from "../registry/discovery.ts";
import type { RegisteredFunction } from "../registry/registry.ts";
import type { KeptSteps } from "../store/commands/create-run.ts";
import type { Author } from "../store/commands/record-change.ts";
import type { AppRecord } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { WebhookOperations } from "../webhooks/operations.ts";
import type { Sandbox } from "../webhooks/sandbox/sandbox.ts";
import type { EventFeed } from "./event-feed.ts";

export interface ApiParts {
  webhooks: WebhookParts;
  /** Encrypts the secrets that have to be read again. */
  sealer: Sealer;
  config: Config;
  /** Version of the service. */
  version: string;
  store: Store;
  access: Access;
  nextId(now: number): string;
  /** What lets people in; null in development, where nobody logs in. */
  login: Login | null;
  registry: Directory;
  operations: Operations;
  feed: EventFeed;
  clock: Clock;
  metrics: { render(): string };
  /** Aborted when the service begins to stop: `/ready` says no, and live streams end. */
  stopping: AbortSignal;
}

/** What the routes of webhooks are built from. */
export interface WebhookParts {
  operations: WebhookOperations;
  sandbox: Pick<Sandbox, "run">;
  /** The address of this service as the sender of these headers knows it, e.g. `https://svc.example.com`. */
  baseUrl(headers: IncomingHttpHeaders): string;
}

/** What it takes to let people in. */
export interface Login {
  passwords: Passwords;
  guard: LoginGuard;
  /** Null when there was an owner, or an API token in the configuration, at the start. */
  setupLink: SetupLink | null;
}

/** The living apps and functions. */
export interface Directory {
  find(env: string, functionId: string): RegisteredFunction | undefined;
  functions(env: string): RegisteredFunction[];
  apps(env: string): AppRecord[];
}

/** What the API can set going. Everything resolves after its commit. */
export interface Operations {
  /** Send a stored event again, as a new event. @returns the new event's id; null when there is no such event */
  replay(env: string, eventId: string): Promise<string | null>;
  /**
   * Take events as `/e/<event key>` does, for somebody who has none.
   * @param body JSON text of one event or of an array of them
   * @returns the id of each event, in order
   * @throws ServiceError as sending does
   */
  send(env: string, body: Buffer): Promise<string[]>;
  /** @returns false when the run has ended already */
  cancelRun(env: string, runId: string): Promise<boolean>;
  /**
   * Start a new run of the same function for the same event.
   * @returns the new run's id; null when the function or the event is gone
   * @throws ServiceError `invalid_request` when the run does not know the step to go on from
   */
  rerun(env: string, runId: string, keep: KeptSteps): Promise<string | null>;
  /** Run one function, whatever its triggers. The API has made sure that it exists. */
  invoke(
    env: string,
    functionId: string,
    data: Record<string, unknown>,
  ): Promise<{ eventId: string; runId: string }>;
  /** Ask the app at this address to sync. @throws ServiceError `sync_failed` with a sentence that says why */
  syncUrl(env: string, url: string): Promise<{ app: AppRecord; modified: boolean }>;
  /** Archive an app and its functions. @returns false when there is no such app */
  archiveApp(env: string, appId: string): Promise<boolean>;
  /** Pause or resume a function. @returns false when there is no such function */
  pauseFunction(author: Author, env: string, functionId: string, paused: boolean): Promise<boolean>;
  /** The addresses where apps of an environment are, were or should be. */
  discoveryState(env: string): AppTarget[];
  /** Where apps of an environment that nobody named are looked for; null when they are not. */
  discoveryScan(env: string): AppScan | null;
  /** Whether a call of this run is under way right now. */
  isRunning(env: string, runId: string): boolean;
}
