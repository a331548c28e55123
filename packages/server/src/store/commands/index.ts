/** Every write the service makes, by name. */
import type { Sql } from "../sql.ts";
import { acceptEvents } from "./accept-events.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { applyTransition } from "./apply-transition.ts";
import { archiveApp } from "./archive-app.ts";
import { archiveEnvironment } from "./archive-environment.ts";
import { changePassword } from "./change-password.ts";
import { createEnvironment } from "./create-environment.ts";
import { createInvitation } from "./create-invitation.ts";
import { createKey } from "./create-key.ts";
import { createRun } from "./create-run.ts";
import { createSession } from "./create-session.ts";
import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { endRun } from "./end-run.ts";
import { endSessions } from "./end-sessions.ts";
import { ensureEnvironments } from "./ensure-environments.ts";
import { expireAccess } from "./expire-access.ts";
import { expireDeduplication } from "./expire-deduplication.ts";
import { finishWebhookRequest } from "./finish-webhook-request.ts";
import { markRunning } from "./mark-running.ts";
import { pauseFunction } from "./pause-function.ts";
import { purge } from "./purge.ts";
import { purgeAuditLog } from "./purge-audit-log.ts";
import { purgeWebhookRequests } from "./purge-webhook-requests.ts";
import { receiveWebhookRequests } from "./receive-webhook-requests.ts";
import { recordRefusedLogins } from "./record-refused-logins.ts";
import { removeDeadKeys } from "./remove-dead-keys.ts";
import { removeUser } from "./remove-user.ts";
import { resetPassword } from "./reset-password.ts";
import { revokeInvitation } from "./revoke-invitation.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";
import { rotateWebhookKey } from "./rotate-webhook-key.ts";
import { setAppError } from "./set-app-error.ts";
import { setUpOwner } from "./set-up-owner.ts";
import { syncApp } from "./sync-app.ts";
import { touchAccess } from "./touch-access.ts";
import { updateEnvironment } from "./update-environment.ts";
import { updateKey } from "./update-key.ts";
import { updateUser } from "./update-user.ts";
import { updateWebhook } from "./update-webhook.ts";

export const commands = {
  acceptEvents,
  acceptInvitation,
  applyTransition,
  archiveApp,
  archiveEnvironment,
  changePassword,
  createEnvironment,
  createInvitation,
  createKey,
  createRun,
  createSession,
  createWebhook,
  deleteWebhook,
  endRun,
  endSessions,
  ensureEnvironments,
  expireAccess,
  expireDeduplication,
  finishWebhookRequest,
  markRunning,
  pauseFunction,
  purgeAuditLog,
  purgeWebhookRequests,
  purge,
  receiveWebhookRequests,
  recordRefusedLogins,
  removeDeadKeys,
  removeUser,
  resetPassword,
  revokeInvitation,
  revokeKey,
  rotateKey,
  rotateWebhookKey,
  setAppError,
  setUpOwner,
  syncApp,
  touchAccess,
  updateEnvironment,
  updateKey,
  updateUser,
  updateWebhook,
} as const;

export type CommandName = keyof typeof commands;
export type CommandArgs<K extends CommandName> = Parameters<(typeof commands)[K]>[0];
export type CommandResult<K extends CommandName> =
  ReturnType<(typeof commands)[K]> extends Sql<infer R> ? R : never;
