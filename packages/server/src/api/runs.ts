/** `/v1/runs`: what the functions did, and stopping or repeating it. */
import * as z from "zod";
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";
import type { RunStatus } from "../store/records.ts";
import { one, pageOf, pageText } from "./answers.ts";
import {
  idCursor,
  isText,
  limitParameter,
  listParameter,
  MAX_PAGE_BYTES,
  timeParameter,
} from "./parameters.ts";
import type { ApiParts } from "./parts.ts";
import { RUN_STATUSES, runSchema, runStorySchema, runStoryText, runText } from "./run-answer.ts";
import { runStats } from "./run-stats.ts";

export type RunParts = Pick<ApiParts, "store" | "registry" | "operations">;

const isStatus = (text: string): text is RunStatus => (RUN_STATUSES as readonly string[]).includes(text);

const listQuery = z.object({
  function: listParameter("Ids of functions, separated by commas.", isText, "up to 20 function ids"),
  app: z.string().max(256).optional().describe("Id of an app."),
  status: listParameter(
    `Statuses, separated by commas: ${RUN_STATUSES.join(", ")}. A run whose first call has just begun is still listed as queued.`,
    isStatus,
    `some of ${RUN_STATUSES.join(", ")}`,
  ),
  event: z.string().max(256).optional().describe("Id of the event that started the run."),
  after: timeParameter("Queued at or after."),
  before: timeParameter("Queued before."),
  limit: limitParameter,
  cursor: idCursor,
});

const rerunBody = z
  .strictObject({
    from_step: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe(
        "Id of a step: what had finished before it is taken over, it and all that finished later is run again.",
      ),
    keep_completed: z
      .boolean()
      .optional()
      .describe(
        "Take over every step that completed: only those that failed, and what was not reached, are run.",
      ),
  })
  .refine(({ from_step, keep_completed }) => from_step === undefined || keep_completed !== true, {
    path: ["keep_completed"],
    error: "not together with `from_step`",
  })
  .optional();

export function runRoutes(parts: RunParts & Pick<ApiParts, "clock">): Route[] {
  const { store, operations } = parts;

  const find = async (env: string, id: string | undefined) => {
    const story = await store.query("findRun", { env, id: id ?? "" });
    if (story === null) throw new ServiceError("not_found", "There is no such run.");
    return story;
  };

  return [
    runStats(parts),
    route({
      method: "GET",
      path: "/v1/runs",
      access: "api",
      permission: "read",
      summary: "List runs, newest first",
      query: listQuery,
      response: pageOf(runSchema),
      async handle({ env, query }) {
        const page = await store.query("listRuns", {
          env,
          functions: query.function ?? null,
          app: query.app || null,
          statuses: query.status ?? null,
          event: query.event || null,
          after: query.after ?? null,
          before: query.before ?? null,
          cursor: query.cursor ?? null,
          limit: query.limit,
          maxBytes: MAX_PAGE_BYTES,
        });
        return {
          body: pageText(
            page.runs.map((run) => runText(run, parts)),
            page.next,
          ),
        };
      },
    }),
    route({
      method: "GET",
      path: "/v1/runs/:id",
      access: "api",
      permission: "read",
      summary: "Get a run with its steps and attempts",
      response: one(runStorySchema),
      async handle({ env, params }) {
        return { body: `{"data":${runStoryText(await find(env, params.id), parts)}}` };
      },
    }),
    route({
      method: "POST",
      path: "/v1/runs/:id/cancel",
      access: "api",
      permission: "send",
      summary: "Cancel a run",
      description: "`conflict` when it has ended already. A call under way is broken off.",
      response: one(runStorySchema),
      async handle({ env, params }) {
        const { run } = await find(env, params.id);
        if (!(await operations.cancelRun(env, run.id))) {
          throw new ServiceError("conflict", "The run has ended already.");
        }
        return { body: `{"data":${runStoryText(await find(env, run.id), parts)}}` };
      },
    }),
    route({
      method: "POST",
      path: "/v1/runs/:id/rerun",
      access: "api",
      permission: "send",
      summary: "Run a function again for the event of a run",
      description:
        "From its start, unless the body says which steps are taken over with their outcomes: those are not run again. `rate_limited` when a GB of steps waits to be taken over already.",
      body: rerunBody,
      response: one(z.object({ id: z.string().describe("Id of the new run.") })),
      async handle({ env, params, body }) {
        const id = params.id ?? "";
        const source = await store.query("findRerun", { env, id });
        if (source === null) throw new ServiceError("not_found", "There is no such run.");
        const { from_step, keep_completed } = body ?? {};
        const rest = keep_completed === true ? "completed" : "none";
        const keep = from_step === undefined ? rest : { before: from_step };
        const rerun = await operations.rerun(env, id, keep);
        if (rerun === null) {
          throw new ServiceError("conflict", `The function ${source.function_id} or the event is gone.`);
        }
        return { body: { data: { id: rerun } } };
      },
    }),
  ];
}
