/** Steps, and log lines with them, that an app reports while its call goes on. */
import type { CheckpointRequest } from "@svc/protocol";
import { ServiceError } from "../errors.ts";
import { decideCheckpoint } from "./decide.ts";
import type { Executor } from "./executor.ts";
import { readLogLines } from "./log-lines.ts";
import { readOps } from "./ops.ts";
import { CHECKPOINT_OPCODES } from "./steps/index.ts";

/**
 * Make reported steps durable. Resolves after the commit.
 * @throws ServiceError `stale_call` when the call is no longer the current one of its run, `not_found` when there is
 *   no such run, `invalid_request` when the body is not a checkpoint
 */
export async function checkpoint(
  executor: Executor,
  env: string,
  runId: string,
  body: unknown,
): Promise<void> {
  const { qi_id: token, steps, logs } = (body ?? {}) as Partial<CheckpointRequest>;
  if (typeof token !== "string") {
    throw new ServiceError("invalid_request", "`qi_id` must be a string.", { field: "qi_id" });
  }
  const read = readOps(steps);
  if ("fault" in read || read.ops.length === 0) {
    const why = "fault" in read ? read.fault : "it is empty";
    throw new ServiceError("invalid_request", `\`steps\` must be a list of steps, but ${why}.`, {
      field: "steps",
    });
  }
  const refused = read.ops.find((op) => !CHECKPOINT_OPCODES.has(op.op));
  if (refused !== undefined) {
    throw new ServiceError("invalid_request", `${refused.op} cannot be reported by a checkpoint.`, {
      field: "steps",
    });
  }
  const [itemId = "", requestId = ""] = token.split(".");
  const context = executor.current(env, runId, itemId, requestId);
  if (context === null) {
    if ((await executor.state(env, runId)) === null) {
      throw new ServiceError("not_found", "There is no such run.");
    }
    throw new ServiceError("stale_call");
  }
  const lines = context.fn.dialect === "svc" ? readLogLines(logs, context.now) : [];
  const stored = await executor.commit(context, decideCheckpoint(context, read.ops, lines), {
    keepItem: true,
  });
  if (!stored || context.state.ended) throw new ServiceError("stale_call");
}
