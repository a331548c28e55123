/** The request of a call: URL, headers, signed body. */
import { createHmac, randomBytes } from "node:crypto";
import { canonicalJson, type Dialect, HEADER, headerName, splitSigningKey } from "@svc/protocol";
import type { RegisteredFunction } from "../registry/registry.ts";
import { longerThan } from "../text-size.ts";
import { hasPlannedCalls, type PendingItem, type RunState } from "./run-state.ts";

/** A body past this makes the app fetch steps and events itself, bytes. */
const MAX_INLINE_BYTES = 4 * 1024 * 1024;

/** On a call: the service takes log lines. Clients of the Inngest specification know nothing of it. */
const LOGS_HEADER = headerName("svc", HEADER.logs);

export interface CallRequestParts {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface CallOptions {
  serverKind: "dev" | "cloud";
  /** Signs the call; none in dev. */
  signingKey: string | null;
  now: number;
  /** What the app knows the run's environment by. */
  environment: string;
}

/** Put together the call for a queue item. `requestId` must be new for every call: it tells stale ones apart. */
export function callRequest(
  state: RunState,
  item: PendingItem,
  fn: RegisteredFunction,
  requestId: string,
  options: CallOptions,
): CallRequestParts {
  const planned = item.step_id !== "step";
  const generation = item.attempt + 1;
  const ctx = {
    run_id: state.runId,
    fn_id: state.functionId,
    env: options.environment,
    step_id: "step",
    attempt: item.attempt,
    max_attempts: fn.maxAttempts,
    request_id: requestId,
    generation_id: generation,
    job_id: item.id,
    qi_id: queueItemToken(item.id, requestId),
    disable_immediate_execution: planned || hasPlannedCalls(state),
    use_api: false,
    stack: { stack: state.stack, current: state.stack.length },
  };
  let body = callBody(state, ctx, memoisedSteps(state), `[${state.event}]`);
  if (longerThan(body, MAX_INLINE_BYTES)) {
    ctx.use_api = true;
    body = callBody(state, ctx, "{}", "[]");
  }
  // Clients of the Inngest specification check signatures on the canonical form of what they have parsed.
  if (options.signingKey !== null && fn.dialect === "inngest") body = canonicalJson(JSON.parse(body));
  return {
    url: planned ? withStepId(fn.url, item.step_id) : fn.url,
    headers: callHeaders(state, item, fn.dialect, requestId, generation, body, options),
    body,
  };
}

/** What a call is known by to its checkpoints: the item and the one call made for it. */
export function queueItemToken(itemId: string, requestId: string): string {
  return `${itemId}.${requestId}`;
}

/** The finished steps of a run as the JSON object calls carry. */
export function memoisedSteps(state: RunState): string {
  let text = "";
  for (const [id, step] of state.steps) {
    if (step.memo === null) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(id)}:${step.memo}`;
  }
  return `{${text}}`;
}

function callBody(state: RunState, ctx: { use_api: boolean }, steps: string, events: string): string {
  return `{"version":${state.requestVersion},"event":${state.event},"events":${events},"steps":${steps},"defers":{},"use_api":${ctx.use_api},"ctx":${JSON.stringify(ctx)}}`;
}

function callHeaders(
  state: RunState,
  item: PendingItem,
  dialect: Dialect,
  requestId: string,
  generation: number,
  body: string,
  options: CallOptions,
): Record<string, string> {
  const prefix = `x-${dialect}-`;
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "user-agent": "svc",
    "x-run-id": state.runId,
    "x-request-id": requestId,
    [`${prefix}server-kind`]: options.serverKind,
    [`${prefix}req-version`]: String(state.requestVersion),
    [`${prefix}generation-id`]: String(generation),
    [`${prefix}job-id`]: item.id,
    [`${prefix}step-id`]: item.step_id,
  };
  if (dialect === "svc") headers[LOGS_HEADER] = "1";
  if (options.signingKey !== null) {
    headers[`${prefix}signature`] = sign(body, options.signingKey, options.now);
  }
  return headers;
}

/** The signature of a body, as `signBody` of the protocol makes it, but without leaving this turn of the loop. */
export function sign(body: string, signingKey: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  const secret = splitSigningKey(signingKey)?.secret ?? signingKey;
  return `t=${seconds}&s=${createHmac("sha256", secret).update(body).update(String(seconds)).digest("hex")}`;
}

/** A new request id: 96 random bits. */
export function newRequestId(): string {
  return randomBytes(12).toString("base64url");
}

function withStepId(url: string, stepId: string): string {
  const target = new URL(url);
  target.searchParams.set("stepId", stepId);
  return target.href;
}
