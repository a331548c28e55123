/** Forward-only migrations in order; the n-th one (from 1) brings the store to version n. */
import type { Dialect } from "../sql.ts";
import * as core from "./0001-core.ts";
import * as access from "./0002-access.ts";
import * as webhooks from "./0003-webhooks.ts";
import * as people from "./0004-people.ts";
import * as appChanges from "./0005-app-changes.ts";
import * as reruns from "./0006-reruns.ts";
import * as runLogs from "./0007-run-logs.ts";

export interface Migration {
  name: string;
  up(dialect: Dialect): string[];
}

export const migrations: readonly Migration[] = [core, access, webhooks, people, appChanges, reruns, runLogs];
