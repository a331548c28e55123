/** What becomes of a request: its transform is run, and its result is looked at. Nothing is stored here. */
import { BRANCH_PARENT, type Environment, type Environments } from "../access/environments.ts";
import { ServiceError } from "../errors.ts";
import type { IncomingEvent } from "../ingest/validate.ts";
import type { FinishWebhookRequestArgs } from "../store/commands/finish-webhook-request.ts";
import type { Webhook } from "./directory.ts";
import { interpret, type RequestError } from "./interpret.ts";
import type { TransformArguments } from "./request.ts";
import { placeless, type TransformOutcome } from "./sandbox/outcome.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";

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
  webhook: Pick<Webhook, "id" | "env" | "version" | "transform" | "gate">,
  input: TransformArguments,
  { receivedAt, branch }: { receivedAt: number; branch: string | null },
): Promise<Decision> {
  const { evt, headers, queryParams, raw, remark } = input;
  const job = {
    webhookId: webhook.id,
    version: webhook.version,
    source: webhook.transform,
    evt,
    headers,
    queryParams,
    raw,
  };
  const result = await sandbox.run(job).catch(refused);
  const { events, value, error, logs, durationMs } = interpret(result, receivedAt, remark);
  const described = {
    version: webhook.version,
    logs: logs.length === 0 ? null : JSON.stringify(logs),
    duration_us: Math.round(durationMs * 1_000),
    events: null,
  };
  const ended = (status: "failed" | "ignored" | "filtered", why: RequestError | null): Decision => ({
    outcome: { ...described, status, error: why === null ? null : JSON.stringify(why) },
    accept: null,
  });
  if (error !== null) return ended("failed", error);
  if (events.length === 0) return ended("ignored", null);
  const unwanted = events.find(({ name }) => webhook.gate?.admitsName?.(name) === false);
  if (unwanted !== undefined) {
    const message = `The event ${unwanted.name} is not let in by the filter of this webhook.`;
    return ended("filtered", { kind: "event_filter", message });
  }
  const target = targetOf(environments, webhook.env, branch);
  if (typeof target === "string") {
    const why: RequestError = { kind: "environment", message: target };
    return {
      outcome: { ...described, status: "unrouted", error: JSON.stringify(why), events: value },
      accept: null,
    };
  }
  return {
    outcome: { ...described, status: "accepted", error: null },
    accept: { environment: target, events },
  };
}

/** What is too large for the sandbox stays so: that is an outcome, and nothing to wait for. */
function refused(error: unknown): TransformOutcome {
  if (!(error instanceof ServiceError) || error.code !== "payload_too_large") throw error;
  return { status: "failed", error: placeless("too_large", "Error", error.message), logs: [], durationMs: 0 };
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
