/** Every read that leaves the writer alone, by name. */
import type { Sql } from "../sql.ts";
import { appIds } from "./app-ids.ts";
import { dueItems } from "./due-items.ts";
import { environments } from "./environments.ts";
import { eventStats } from "./event-stats.ts";
import { findEvent } from "./find-event.ts";
import { findInvitation } from "./find-invitation.ts";
import { findRun } from "./find-run.ts";
import { listAuditLog } from "./list-audit-log.ts";
import { listEvents } from "./list-events.ts";
import { listInvitations } from "./list-invitations.ts";
import { listRuns } from "./list-runs.ts";
import { loadAccess } from "./load-access.ts";
import { loadRegistry } from "./load-registry.ts";
import { oldestEvent } from "./oldest-event.ts";
import { orphanedRuns } from "./orphaned-runs.ts";
import { ping } from "./ping.ts";
import { runState } from "./run-state.ts";
import { runsOfEvent } from "./runs-of-event.ts";

export const queries = {
  appIds,
  dueItems,
  environments,
  eventStats,
  findEvent,
  findInvitation,
  findRun,
  listAuditLog,
  listEvents,
  listInvitations,
  listRuns,
  loadAccess,
  loadRegistry,
  oldestEvent,
  orphanedRuns,
  ping,
  runsOfEvent,
  runState,
} as const;

export type QueryName = keyof typeof queries;
export type QueryArgs<K extends QueryName> = Parameters<(typeof queries)[K]>[0];
export type QueryResult<K extends QueryName> =
  ReturnType<(typeof queries)[K]> extends Sql<infer R> ? R : never;
