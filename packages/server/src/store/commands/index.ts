/** Every write the service makes, by name. */
import type { Sql } from "../sql.ts";
import { acceptEvents } from "./accept-events.ts";
import { applyTransition } from "./apply-transition.ts";
import { createRun } from "./create-run.ts";
import { endRun } from "./end-run.ts";
import { expireDeduplication } from "./expire-deduplication.ts";
import { markRunning } from "./mark-running.ts";
import { purge } from "./purge.ts";

export const commands = {
  acceptEvents,
  applyTransition,
  createRun,
  endRun,
  expireDeduplication,
  markRunning,
  purge,
} as const;

export type CommandName = keyof typeof commands;
export type CommandArgs<K extends CommandName> = Parameters<(typeof commands)[K]>[0];
export type CommandResult<K extends CommandName> =
  ReturnType<(typeof commands)[K]> extends Sql<infer R> ? R : never;
