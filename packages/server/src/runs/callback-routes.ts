/** What apps ask of the executor while they run: checkpoints, and the parts of a call too large to send along. */
import * as z from "zod";
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";
import { memoisedSteps } from "./call-request.ts";
import { checkpoint } from "./checkpoint.ts";
import type { Executor } from "./executor.ts";

/** A checkpoint carries step outputs of 4 MB each at most; several small ones or one large one. */
const MAX_CHECKPOINT_BYTES = 5 * 1024 * 1024;

/** The routes apps call with their signing key. */
export function callbackRoutes(executor: Executor): Route[] {
  const stateOf = async (env: string, runId: string | undefined) => {
    const state = await executor.state(env, runId ?? "");
    if (state === null) throw new ServiceError("not_found", "There is no such run.");
    return state;
  };
  return [
    route<Record<string, string>, unknown>({
      method: "POST",
      path: "/v1/checkpoint/:run_id/async",
      access: "signing-key",
      ofRuns: true,
      body: z.unknown(),
      maxBodyBytes: MAX_CHECKPOINT_BYTES,
      async handle({ env, params, body }) {
        await checkpoint(executor, env, params.run_id ?? "", body);
        return { body: { status: 200 } };
      },
    }),
    route({
      method: "GET",
      path: "/v0/runs/:run_id/actions",
      access: "signing-key",
      ofRuns: true,
      async handle({ env, params }) {
        return json(memoisedSteps(await stateOf(env, params.run_id)));
      },
    }),
    route({
      method: "GET",
      path: "/v0/runs/:run_id/batch",
      access: "signing-key",
      ofRuns: true,
      async handle({ env, params }) {
        return json(`[${(await stateOf(env, params.run_id)).event}]`);
      },
    }),
  ];
}

/** JSON that is text already. */
function json(body: string) {
  return { headers: { "content-type": "application/json" }, body };
}
