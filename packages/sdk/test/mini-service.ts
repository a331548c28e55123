/**
 * A small real service for tests: it takes events, syncs and checkpoints over HTTP and drives runs by calling
 * the app, as the real one does, but with no waiting: sleeps end and retries happen at once.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import * as p from "@svc/protocol";

export interface CallRecord {
  request: p.CallRequest;
  stepId: string;
  status: number;
  headers: Headers;
  ops: p.Op[] | undefined;
  body: unknown;
  /** As it came; an envelope with log lines is not opened here. */
  text: string;
  /** The lines of the envelope, if it was one. */
  logs: p.LogLine[] | undefined;
}

export interface RunRecord {
  runId: string;
  status: "completed" | "failed";
  output?: unknown;
  error?: p.WireError;
  calls: CallRecord[];
  /** Ops of accepted checkpoints. */
  checkpoints: p.Op[];
  stack: string[];
}

interface RunState {
  steps: Record<string, p.StepState>;
  stack: string[];
  event: p.EventPayload;
  checkpoints: p.Op[];
}

export interface RunOptions {
  runId?: string;
  maxAttempts?: number;
  steps?: Record<string, p.StepState>;
  stack?: string[];
  /** Which of the planned steps to call next. Default: the first. */
  pick?: (planned: string[]) => number;
  useApi?: boolean;
  /** Do not allow a new step to be run without being planned. */
  planAll?: boolean;
  /** Say that log lines are taken, as a service does that knows of them. */
  takesLogs?: boolean;
}

export interface MiniService {
  url: string;
  /** Requests to `/e/<key>`, in order. */
  sends: { key: string; headers: IncomingMessage["headers"]; events: p.EventPayload[]; ids: string[] }[];
  registrations: { headers: IncomingMessage["headers"]; url: string; body: p.SyncRequest }[];
  /** Authorization header of every request but sends. */
  tokens: (string | undefined)[];
  checkpointPosts: p.CheckpointRequest[];
  /** Answers to give instead of the usual ones, first in first out; by path prefix. */
  refuse(prefix: string, ...answers: Refusal[]): void;
  run(appUrl: string, fnId: string, event: p.EventPayload, options?: RunOptions): Promise<RunRecord>;
  close(): Promise<void>;
}

export interface Refusal {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Cut the connection instead of answering. */
  drop?: boolean;
}

export async function startMiniService(signingKey?: string): Promise<MiniService> {
  const runs = new Map<string, RunState>();
  const refusals: { prefix: string; answer: Refusal }[] = [];
  const nextId = p.createUlidGenerator();

  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? "/", "http://service");
    const text = await readText(req);
    const at = refusals.findIndex((each) => url.pathname.startsWith(each.prefix));
    const answer = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      res.writeHead(status, { "content-type": "application/json", ...headers });
      res.end(body === undefined ? "" : JSON.stringify(body));
    };
    if (!url.pathname.startsWith("/e/")) service.tokens.push(req.headers.authorization);
    if (at >= 0) {
      const refusal = refusals.splice(at, 1)[0]!.answer;
      if (refusal.drop) return void req.socket.destroy();
      return answer(refusal.status, refusal.body, refusal.headers);
    }
    const [, first, second, third, fourth] = url.pathname.split("/");
    if (first === "e") {
      const events = JSON.parse(text) as p.EventPayload[];
      const seed = p.parseEventIdSeed(String(req.headers["x-svc-event-id-seed"]));
      const ids = events.map((_, index) => (seed ? p.seededEventId(seed, index) : nextId(Date.now())));
      service.sends.push({ key: decodeURIComponent(second ?? ""), headers: req.headers, events, ids });
      return answer(200, { ids, status: 200 });
    }
    if (first === "fn" && second === "register") {
      service.registrations.push({ headers: req.headers, url: req.url ?? "", body: JSON.parse(text) });
      return answer(200, {
        ok: true,
        modified: service.registrations.length === 1,
        sync_id: "s",
        app_id: "a",
      });
    }
    if (second === "checkpoint") {
      const body = JSON.parse(text) as p.CheckpointRequest;
      service.checkpointPosts.push(body);
      const run = runs.get(third ?? "");
      if (!run) return answer(404, { error: "no such run", code: "not_found", status: 404 });
      for (const op of body.steps) memoise(run, op.id, { data: op.data });
      run.checkpoints.push(...body.steps);
      return answer(200, undefined);
    }
    if (first === "v0" && second === "runs") {
      const run = runs.get(third ?? "")!;
      return answer(200, fourth === "actions" ? run.steps : [run.event]);
    }
    answer(404, { error: "nothing here", code: "not_found", status: 404 });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const service: MiniService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sends: [],
    registrations: [],
    tokens: [],
    checkpointPosts: [],
    refuse: (prefix, ...answers) => void refusals.push(...answers.map((answer) => ({ prefix, answer }))),
    run: (appUrl, fnId, event, options = {}) => {
      const runId = options.runId ?? nextId(Date.now());
      const full = { id: nextId(Date.now()), ts: Date.now(), user: {}, ...event };
      const state = { steps: options.steps ?? {}, stack: options.stack ?? [], event: full, checkpoints: [] };
      runs.set(runId, state);
      return drive({ appUrl, fnId, runId, state, options, signingKey });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}

interface Drive {
  appUrl: string;
  fnId: string;
  runId: string;
  state: RunState;
  options: RunOptions;
  signingKey: string | undefined;
}

/** Call the app until the run has ended. */
async function drive(run: Drive): Promise<RunRecord> {
  const { state, options } = run;
  const record: RunRecord = {
    runId: run.runId,
    status: "failed",
    calls: [],
    checkpoints: state.checkpoints,
    stack: state.stack,
  };
  const planned: string[] = [];
  const attempts = new Map<string, number>();
  const maxAttempts = options.maxAttempts ?? 5;
  let discover = true;
  for (let calls = 0; calls < 200; calls++) {
    const target = discover
      ? p.WHOLE_FUNCTION
      : (planned.splice(options.pick?.(planned) ?? 0, 1)[0] ?? p.WHOLE_FUNCTION);
    discover = false;
    const finishedBefore = state.stack.length;
    const call = await callApp(run, target, attempts.get(target) ?? 0, maxAttempts, planned.length > 0);
    record.calls.push(call);
    // A step that was kept starts the count anew.
    if (state.stack.length > finishedBefore) attempts.clear();
    if (call.status === 200) return { ...record, status: "completed", output: call.body };
    if (call.status !== 206) {
      const attempt = (attempts.get(target) ?? 0) + 1;
      const final = call.headers.get("x-svc-no-retry") === "true" || attempt >= maxAttempts;
      if (final) return { ...record, status: "failed", error: call.body as p.WireError };
      attempts.set(target, attempt);
      discover = true;
      continue;
    }
    for (const op of call.ops ?? []) {
      if (op.op === "RunComplete") return { ...record, status: "completed", output: op.data };
      if (op.op === "StepPlanned") {
        if (!planned.includes(op.id)) planned.push(op.id);
      } else if (op.op === "StepError") {
        attempts.set(target, (attempts.get(target) ?? 0) + 1);
        if (target === p.WHOLE_FUNCTION) discover = true;
        else planned.unshift(target);
      } else {
        if (op.op === "StepRun") memoise(state, op.id, { data: op.data });
        else if (op.op === "StepFailed") memoise(state, op.id, { error: op.error! });
        else if (op.op === "Sleep") memoise(state, op.id, null);
        attempts.clear();
        discover = true;
      }
    }
  }
  throw new Error("The run did not end within 200 calls.");
}

async function callApp(
  run: Drive,
  stepId: string,
  attempt: number,
  maxAttempts: number,
  othersPlanned: boolean,
): Promise<CallRecord> {
  const { state, options } = run;
  const request: p.CallRequest = {
    version: 2,
    event: state.event,
    events: options.useApi ? [] : [state.event],
    steps: options.useApi ? {} : structuredClone(state.steps),
    use_api: options.useApi ?? false,
    ctx: {
      run_id: run.runId,
      fn_id: run.fnId,
      env: "dev",
      step_id: "step",
      attempt,
      max_attempts: maxAttempts,
      request_id: "request",
      generation_id: 1,
      job_id: "job",
      qi_id: "item",
      disable_immediate_execution: options.planAll || stepId !== p.WHOLE_FUNCTION || othersPlanned,
      use_api: options.useApi ?? false,
      stack: { stack: [...state.stack], current: state.stack.length },
    },
  };
  const body = JSON.stringify(request);
  const headers: Record<string, string> = { "content-type": "application/json", "x-svc-server-kind": "dev" };
  if (options.takesLogs) headers["x-svc-logs"] = "1";
  if (run.signingKey) headers["x-svc-signature"] = await p.signBody(body, run.signingKey, Date.now());
  const response = await fetch(`${run.appUrl}?fnId=${run.fnId}&stepId=${stepId}`, {
    method: "POST",
    headers,
    body,
  });
  const text = await response.text();
  const envelope = response.headers.has("x-svc-logs") ? p.unwrapAnswer(text) : null;
  const logs = envelope === null ? undefined : (JSON.parse(envelope.logs) as p.LogLine[]);
  const answer: unknown = JSON.parse(envelope?.answer ?? text);
  const ops = response.status === 206 ? (answer as p.Op[]) : undefined;
  return {
    request,
    stepId,
    status: response.status,
    headers: response.headers,
    ops,
    body: answer,
    text,
    logs,
  };
}

function memoise(run: RunState, id: string, state: p.StepState): void {
  if (run.stack.includes(id)) return;
  run.steps[id] = state;
  run.stack.push(id);
}

async function readText(req: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of req.setEncoding("utf8")) text += chunk;
  return text;
}
