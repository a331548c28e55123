/** Every read that leaves the writer alone, by name. */
import type { Sql } from "../sql.ts";
import { appIds } from "./app-ids.ts";
import { dueItems } from "./due-items.ts";
import { environments } from "./environments.ts";
import { eventNames } from "./event-names.ts";
import { eventStats } from "./event-stats.ts";
import { findEvent } from "./find-event.ts";
import { findInvitation } from "./find-invitation.ts";
import { findRerun } from "./find-rerun.ts";
import { findRun } from "./find-run.ts";
import { findWebhookRequest } from "./find-webhook-request.ts";
import { findWebhookVersion } from "./find-webhook-version.ts";
import { functionActivity } from "./function-activity.ts";
import { functionStats } from "./function-stats.ts";
import { listAuditLog } from "./list-audit-log.ts";
import { listEventSummaries } from "./list-event-summaries.ts";
import { listEvents } from "./list-events.ts";
import { listInvitations } from "./list-invitations.ts";
import { listRuns } from "./list-runs.ts";
import { listWebhookRequests } from "./list-webhook-requests.ts";
import { loadAccess } from "./load-access.ts";
import { loadRegistry } from "./load-registry.ts";
import { loadWebhooks } from "./load-webhooks.ts";
import { oldestEvent } from "./oldest-event.ts";
import { oldestWebhookRequest } from "./oldest-webhook-request.ts";
import { orphanedRuns } from "./orphaned-runs.ts";
import { ping } from "./ping.ts";
import { requestOfEvent } from "./request-of-event.ts";
import { runState } from "./run-state.ts";
import { runStats } from "./run-stats.ts";
import { runsOfEvent } from "./runs-of-event.ts";
import { webhookActivity } from "./webhook-activity.ts";
import { webhookVersions } from "./webhook-versions.ts";

export const queries = {
  appIds,
  dueItems,
  environments,
  eventNames,
  eventStats,
  findEvent,
  findInvitation,
  findRerun,
  findRun,
  findWebhookRequest,
  findWebhookVersion,
  functionActivity,
  functionStats,
  listAuditLog,
  listEventSummaries,
  listEvents,
  listInvitations,
  listRuns,
  listWebhookRequests,
  loadAccess,
  loadRegistry,
  loadWebhooks,
  oldestEvent,
  oldestWebhookRequest,
  orphanedRuns,
  ping,
  requestOfEvent,
  runState,
  runStats,
  runsOfEvent,
  webhookActivity,
  webhookVersions,
} as const;

export type QueryName = keyof typeof queries;
export type QueryArgs<K extends QueryName> = Parameters<(typeof queries)[K]>[0];
export type QueryResult<K extends QueryName> =
  ReturnType<(typeof queries)[K]> extends Sql<infer R> ? R : never;
