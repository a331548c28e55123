import type { AppChange, AppRecord } from "../records.ts";
import { firstRow, rows, run, type Sql } from "../sql.ts";

export interface SyncAppArgs {
  env: string;
  now: number;
  app: Pick<AppRecord, "id" | "url" | "dialect" | "sdk" | "framework" | "checksum">;
  functions: { id: string; name: string; config: string }[];
}

export type SyncAppResult =
  /** Nothing was written: a living app has a function of this id already. */
  | { conflict: { functionId: string; appId: string } }
  | {
      conflict: null;
      /** The app is new, came back, or has other functions than before. */
      modified: boolean;
      /** Functions that the app no longer has. */
      archived: string[];
      /** Functions of the app that are paused. */
      paused: string[];
      /** JSON of the `AppChange` that is remembered from now on. */
      lastChange: string | null;
    };

/** Ids of functions that are remembered of each kind of change. */
const MAX_REMEMBERED = 50;

/** Make an app and its functions what its sync says; functions it no longer names are archived. */
export function* syncApp(args: SyncAppArgs): Sql<SyncAppResult> {
  const { env, now, app, functions } = args;
  for (const fn of functions) {
    const other = yield* firstRow<{ app_id: string }>(FIND_OTHER_OWNER, [env, fn.id, app.id]);
    if (other !== undefined) return { conflict: { functionId: fn.id, appId: other.app_id } };
  }
  const before = yield* firstRow<Pick<AppRecord, "checksum" | "archived_at" | "last_change">>(FIND_APP, [
    env,
    app.id,
  ]);
  const configs = new Map(
    (yield* rows<{ id: string; config: string }>(LIST_FUNCTIONS, [env, app.id])).map(({ id, config }) => [
      id,
      config,
    ]),
  );
  const { id, url, dialect, sdk, framework, checksum } = app;
  yield* run(UPSERT_APP, [env, id, url, dialect, sdk, framework, checksum, now]);

  const paused: string[] = [];
  for (const fn of functions) {
    const row = yield* firstRow<{ paused_at: number | null }>(UPSERT_FUNCTION, [
      env,
      fn.id,
      app.id,
      fn.name,
      fn.config,
      now,
    ]);
    if (row!.paused_at !== null) paused.push(fn.id);
  }
  const kept = new Set(functions.map((fn) => fn.id));
  const archived: string[] = [];
  for (const living of configs.keys()) {
    if (kept.has(living)) continue;
    yield* run(ARCHIVE_FUNCTION, [env, living, now]);
    archived.push(living);
  }
  const modified = before === undefined || before.archived_at !== null || before.checksum !== checksum;
  let lastChange = before?.last_change ?? null;
  if (modified) {
    const added = functions.filter((fn) => !configs.has(fn.id));
    const changed = functions.filter((fn) => configs.has(fn.id) && configs.get(fn.id) !== fn.config);
    lastChange = JSON.stringify(changeOf(now, idsOf(added), idsOf(changed), archived));
    yield* run("UPDATE apps SET last_change = $3 WHERE env = $1 AND id = $2", [env, app.id, lastChange]);
  }
  return { conflict: null, modified, archived, paused, lastChange };
}

function idsOf(functions: { id: string }[]): string[] {
  return functions.map(({ id }) => id);
}

function changeOf(at: number, added: string[], changed: string[], removed: string[]): AppChange {
  const some = (ids: string[]) => ids.toSorted().slice(0, MAX_REMEMBERED);
  const counts = { added: added.length, changed: changed.length, removed: removed.length };
  return { at, added: some(added), changed: some(changed), removed: some(removed), counts };
}

const FIND_OTHER_OWNER =
  "SELECT app_id FROM functions WHERE env = $1 AND id = $2 AND app_id <> $3 AND archived_at IS NULL";

const FIND_APP = "SELECT checksum, archived_at, last_change FROM apps WHERE env = $1 AND id = $2";

const UPSERT_APP = `INSERT INTO apps (env, id, url, dialect, sdk, framework, checksum, created_at, synced_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
  ON CONFLICT (env, id) DO UPDATE SET
    url = excluded.url, dialect = excluded.dialect, sdk = excluded.sdk, framework = excluded.framework,
    checksum = excluded.checksum, synced_at = excluded.synced_at, error = NULL, archived_at = NULL`;

const UPSERT_FUNCTION = `INSERT INTO functions (env, id, app_id, name, config, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $6)
  ON CONFLICT (env, id) DO UPDATE SET
    app_id = excluded.app_id, name = excluded.name, config = excluded.config, archived_at = NULL,
    updated_at = CASE WHEN functions.config = excluded.config THEN functions.updated_at
                      ELSE excluded.updated_at END
  RETURNING paused_at`;

const LIST_FUNCTIONS =
  "SELECT id, config FROM functions WHERE env = $1 AND app_id = $2 AND archived_at IS NULL";

const ARCHIVE_FUNCTION = "UPDATE functions SET archived_at = $3 WHERE env = $1 AND id = $2";
