/** One call of a function: from the request's body, through the engine, to status, headers and body. */
import {
  type CallRequest,
  DEFAULT_RETRIES,
  HEADER,
  headerName,
  type Op,
  sha1,
  WHOLE_FUNCTION,
  wrapAnswer,
} from "@svc/protocol";
import { type CallLog, createCallLog, loggedCall } from "./call-log.ts";
import type { ClientInternals } from "./client.ts";
import { type EngineHandle, execute, type Outcome } from "./engine.ts";
import type { ReceivedEvent } from "./event-types.ts";
import type { SvcFunction } from "./function.ts";
import { quietDuringReplay } from "./logger.ts";
import { sendEvents } from "./send.ts";
import { readAnswer, type ServiceApi } from "./service-api.ts";
import { createStepTools } from "./step-tools.ts";

/** An answer to the service before it is signed. */
export interface CallAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const RUN_COMPLETE_ID = sha1("complete");

/**
 * Run a function for a call of the service.
 * @param stepId hash of the planned step to run, or `step` for the whole function
 * @param takesLogs whether the service wants the lines that the handler logs
 */
export async function callFunction(
  client: ClientInternals,
  fn: SvcFunction,
  request: CallRequest,
  stepId: string,
  takesLogs: boolean,
): Promise<CallAnswer> {
  const { ctx } = request;
  const log = takesLogs && client.sendLogs ? createCallLog() : undefined;
  const target = stepId === WHOLE_FUNCTION ? undefined : stepId;
  const { steps, events } = await loadState(client.api, request);
  const checkpointing =
    (fn.checkpointing ?? client.checkpointing) && !ctx.disable_immediate_execution && !target;
  const maxAttempts = ctx.max_attempts || DEFAULT_RETRIES + 1;

  const outcome = await execute(
    {
      steps,
      stack: ctx.stack?.stack ?? [],
      attempt: ctx.attempt ?? 0,
      maxAttempts,
      target,
      immediate: !ctx.disable_immediate_execution,
      checkpoint: checkpointing ? (op) => checkpoint(client, ctx, op, log) : undefined,
      maxRuntime: fn.maxRuntime ?? client.maxRuntime,
    },
    (engine: EngineHandle) =>
      fn.handler({
        event: request.event as ReceivedEvent,
        events: events as ReceivedEvent[],
        step: createStepTools({
          runId: ctx.run_id,
          request: engine.request,
          send: (payload, from) => sendEvents(client.sender, payload, from),
        }),
        runId: ctx.run_id,
        attempt: ctx.attempt ?? 0,
        maxAttempts,
        logger: quietDuringReplay(
          log ? loggedCall(client.logger, log, engine.runningStep) : client.logger,
          engine.isReplaying,
        ),
      }),
  );
  return withLogs(answerOf(outcome), log);
}

/** The answer in an envelope with the lines that no checkpoint has brought; as it is when there are none. */
function withLogs(answer: CallAnswer, log: CallLog | undefined): CallAnswer {
  const lines = log?.report().lines ?? [];
  log?.close();
  if (lines.length === 0) return answer;
  const headers = { ...answer.headers, [headerName("svc", HEADER.logs)]: "1" };
  return { status: answer.status, headers, body: wrapAnswer(answer.body, lines) };
}

/** State too large for the call's body is fetched. */
async function loadState(
  api: ServiceApi,
  request: CallRequest,
): Promise<Pick<CallRequest, "steps" | "events">> {
  const { steps, events, event, ctx } = request;
  if (!request.use_api && !ctx.use_api) return { steps: steps ?? {}, events: events ?? [event] };
  const run = `/v0/runs/${encodeURIComponent(ctx.run_id)}`;
  const [actions, batch] = await Promise.all([
    api.request("GET", `${run}/actions`).then((response) => readAnswer(response, "Loading the run's steps")),
    api.request("GET", `${run}/batch`).then((response) => readAnswer(response, "Loading the run's events")),
  ]);
  return { steps: actions as CallRequest["steps"], events: batch as CallRequest["events"] };
}

/**
 * Report a finished step while the call goes on. False sends the caller back to the plain way, an answer with
 * the step: after a 409 the service ignores that answer, because this call is no longer the run's current one.
 */
async function checkpoint(
  client: ClientInternals,
  ctx: CallRequest["ctx"],
  op: Op,
  log: CallLog | undefined,
): Promise<boolean> {
  const { run_id, fn_id, qi_id, request_id, generation_id } = ctx;
  const report = log?.report();
  try {
    const response = await client.api.request("POST", `/v1/checkpoint/${encodeURIComponent(run_id)}/async`, {
      run_id,
      fn_id,
      qi_id,
      request_id,
      generation_id,
      steps: [op],
      // Left out of the JSON when there are none.
      logs: report?.lines.length ? report.lines : undefined,
    });
    if (response.ok) {
      if (report) log?.reported(report);
      return true;
    }
    client.logger.debug(`svc: checkpoint of run ${run_id} was answered ${response.status}`);
  } catch (error) {
    client.logger.debug(`svc: checkpoint of run ${run_id} failed:`, error);
  }
  return false;
}

function answerOf(outcome: Outcome): CallAnswer {
  const headers: Record<string, string> = {};
  if (outcome.kind === "done") {
    if (!outcome.checkpointed) return { status: 200, headers, body: outcome.json };
    return {
      status: 206,
      headers,
      body: `[{"id":"${RUN_COMPLETE_ID}","op":"RunComplete","data":${outcome.json}}]`,
    };
  }
  if (outcome.noRetry !== undefined) headers[headerName("svc", HEADER.noRetry)] = String(outcome.noRetry);
  if (outcome.retryAfter !== undefined) headers["retry-after"] = outcome.retryAfter;
  if (outcome.kind === "ops") return { status: 206, headers, body: JSON.stringify(outcome.ops) };
  return { status: outcome.noRetry ? 400 : 500, headers, body: JSON.stringify(outcome.error) };
}
