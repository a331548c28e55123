/** Every write the service makes, by name. */
import type { Sql } from "../sql.ts";
import { acceptEvents } from "./accept-events.ts";
import { applyTransition } from "./apply-transition.ts";
import { archiveApp } from "./archive-app.ts";
import { archiveEnvironment } from "./archive-environment.ts";
import { createEnvironment } from "./create-environment.ts";
import { createKey } from "./create-key.ts";
import { createRun } from "./create-run.ts";
import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { endRun } from "./end-run.ts";
import { ensureEnvironments } from "./ensure-environments.ts";
import { expireDeduplication } from "./expire-deduplication.ts";
import { finishWebhookRequest } from "./finish-webhook-request.ts";
import { markRunning } from "./mark-running.ts";
import { purge } from "./purge.ts";
import { purgeWebhookRequests } from "./purge-webhook-requests.ts";
import { receiveWebhookRequests } from "./receive-webhook-requests.ts";
import { removeDeadKeys } from "./remove-dead-keys.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";
import { rotateWebhookKey } from "./rotate-webhook-key.ts";
import { setAppError } from "./set-app-error.ts";
import { syncApp } from "./sync-app.ts";
import { touchAccess } from "./touch-access.ts";
import { updateEnvironment } from "./update-environment.ts";
import { updateKey } from "./update-key.ts";
import { updateWebhook } from "./update-webhook.ts";

export const commands = {
  acceptEvents,
  applyTransition,
  archiveApp,
  archiveEnvironment,
  createEnvironment,
  createKey,
  createRun,
  createWebhook,
  deleteWebhook,
  endRun,
  ensureEnvironments,
  expireDeduplication,
  finishWebhookRequest,
  markRunning,
  purgeWebhookRequests,
  purge,
  receiveWebhookRequests,
  removeDeadKeys,
  revokeKey,
  rotateKey,
  rotateWebhookKey,
  setAppError,
  syncApp,
  touchAccess,
  updateEnvironment,
  updateKey,
  updateWebhook,
} as const;

export type CommandName = keyof typeof commands;
export type CommandArgs<K extends CommandName> = Parameters<(typeof commands)[K]>[0];
export type CommandResult<K extends CommandName> =
  ReturnType<(typeof commands)[K]> extends Sql<infer R> ? R : never;
