import { firstRow, run, type Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface PauseFunctionArgs {
  author: Author;
  env: string;
  id: string;
  /** False resumes it. */
  paused: boolean;
}

/**
 * Pause a function or resume it. Asking for what is so already changes nothing and leaves no entry in the audit log.
 * @returns false when there is no such living function
 */
export function* pauseFunction({ author, env, id, paused }: PauseFunctionArgs): Sql<boolean> {
  const before = yield* firstRow<{ name: string; paused_at: number | null }>(
    "SELECT name, paused_at FROM functions WHERE env = $1 AND id = $2 AND archived_at IS NULL",
    [env, id],
  );
  if (before === undefined) return false;
  if ((before.paused_at !== null) === paused) return true;
  yield* run("UPDATE functions SET paused_at = $3 WHERE env = $1 AND id = $2", [
    env,
    id,
    paused ? author.now : null,
  ]);
  yield* recordChange(author, {
    action: paused ? "function.paused" : "function.resumed",
    target: { kind: "function", id, name: before.name },
    env,
    before: { paused: !paused },
    after: { paused },
  });
  return true;
}
