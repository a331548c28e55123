/** What becomes of a request: its transform is run, and its result is looked at. Nothing is stored here. */
import { BRANCH_PARENT, type Environment, type Environments } from "../access/environments.ts";
import { ServiceError } from "../errors.ts";
import type { IncomingEvent } from "../ingest/validate.ts";
import type { FinishWebhookRequestArgs } from "../store/commands/finish-webhook-request.ts";
import type { Webhook } from "./directory.ts";
import { eventsOfResult } from "./event-result.ts";
import type { TransformArguments } from "./request.ts";
import type { LogLine, TransformOutcome } from "./sandbox/outcome.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";

/** A result may hold the body twice (as data and as `raw`), and escaped at that. */
export const MAX_RESULT_BYTES = 2 * 1024 * 1024;

/** Why a request became no event, as it is kept and shown. */
export interface RequestError {
  /** `syntax`, `runtime`, `timeout` … of the sandbox; `invalid_event`, `event_filter`, `environment` of the service. */
  kind: string;
  message: string;
  line?: number | null;
  column?: number | null;
  stack?: string;
}

export interface Decision {
  outcome: FinishWebhookRequestArgs["outcome"];
  /** With `accepted`: where to, and what. */
  accept: { environment: Environment; events: IncomingEvent[] } | null;
}

export interface DecideParts {
  sandbox: Pick<Sandbox, "run">;
  environments: Environments;
}

/**
 * Run the transform of a webhook on a request.
 * @param receivedAt the `ts` of events without one, ms since the epoch
 * @param branch the branch environment the request names
 * @throws ServiceError `unavailable` when the sandbox has too much to do; then nothing is decided
 */
export async function decide(
  { sandbox, environments }: DecideParts,
  webhook: Pick<Webhook, "id" | "env" | "version" | "transform" | "acceptsName">,
  input: TransformArguments,
  { receivedAt, branch }: { receivedAt: number; branch: string | null },
): Promise<Decision> {
  const { evt, headers, queryParams, raw, remark } = input;
  const result = await sandbox.run({
    webhookId: webhook.id,
    version: webhook.version,
    source: webhook.transform,
    evt,
    headers,
    queryParams,
    raw,
  });
  const described = {
    version: webhook.version,
    logs: logsOf(result, remark),
    duration_us: Math.round(result.durationMs * 1_000),
    events: null,
  };
  const ended = (status: "failed" | "ignored" | "filtered", error: RequestError | null): Decision => ({
    outcome: { ...described, status, error: error === null ? null : JSON.stringify(error) },
    accept: null,
  });

  if (result.status === "failed") {
    const { kind, message, name, line, column, stack } = result.error;
    const told = kind === "runtime" && name !== "Error" && name !== "" ? `${name}: ${message}` : message;
    return ended("failed", { kind, message: told, line, column, ...(stack !== undefined && { stack }) });
  }
  if (result.value === null) return ended("ignored", null);
  let events: IncomingEvent[];
  try {
    events = eventsOfResult(result.value, { now: receivedAt, maxBytes: MAX_RESULT_BYTES });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return ended("failed", { kind: error.code, message: error.message });
  }
  if (events.length === 0) return ended("ignored", null);
  const refused = events.find(({ name }) => webhook.acceptsName?.(name) === false);
  if (refused !== undefined) {
    const message = `The event ${refused.name} is not let in by the filter of this webhook.`;
    return ended("filtered", { kind: "event_filter", message });
  }
  const target = targetOf(environments, webhook.env, branch);
  if (typeof target === "string") {
    const error: RequestError = { kind: "environment", message: target };
    return {
      outcome: {
        ...described,
        status: "unrouted",
        error: JSON.stringify(error),
        events: result.value,
      },
      accept: null,
    };
  }
  return {
    outcome: { ...described, status: "accepted", error: null },
    accept: { environment: target, events },
  };
}

/** The environment a webhook's events go to, or a sentence that says why there is none. */
export function targetOf(
  environments: Environments,
  holder: string,
  branch: string | null,
): Environment | string {
  if (holder !== BRANCH_PARENT) {
    const own = environments.byId(holder)!;
    return own.archived_at === null ? own : `The environment ${own.name} is archived.`;
  }
  if (branch === null) return "The request names no branch environment.";
  const named = environments.byName(branch);
  if (named === undefined || named.type !== "branch") return `There is no branch environment ${branch}.`;
  return named.archived_at === null ? named : `The branch environment ${branch} is archived.`;
}

function logsOf(result: TransformOutcome, remark: string | undefined): string | null {
  const lines: LogLine[] =
    remark === undefined ? result.logs : [{ level: "warn", text: remark }, ...result.logs];
  return lines.length === 0 ? null : JSON.stringify(lines);
}
