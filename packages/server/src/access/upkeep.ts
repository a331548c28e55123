/**
 * What happens by itself to what lets people and programs in: its use is written down, unused branches are archived, and
 * keys, sessions and links that have ended are removed.
 */
import type { Clock } from "../clock.ts";
import { everyMinute } from "../every-minute.ts";
import type { Logger } from "../observe/log.ts";
import type { Author } from "../store/commands/record-change.ts";
import type { Store } from "../store/store.ts";
import type { Access } from "./access.ts";
import { SESSION_IDLE_MS } from "./people/people.ts";

export interface UpkeepParts {
  access: Pick<Access, "environments" | "keys" | "people" | "reload">;
  store: Pick<Store, "execute">;
  clock: Clock;
  logger: Logger;
  nextId(now: number): string;
  /** A branch that was not used for this long is archived, ms. */
  branchArchiveAfterMs: number;
}

export interface Upkeep {
  /** Do now what is done every minute. */
  sweep(): Promise<void>;
  /** Ends after what is under way, and writes the last use down. */
  stop(): Promise<void>;
}

/** Keys that were revoked or have expired are kept this long, for those who look up what they were. */
const DEAD_KEYS_KEPT_MS = 30 * 86_400_000;
/** Links are kept this long after their end. */
const LINKS_KEPT_MS = 7 * 86_400_000;
/** Sweeps between two removals of sessions and links that have ended: they let nobody in, wherever they are kept. */
const EXPIRE_EVERY = 60;

/** Start the upkeep in the background. What fails is tried again a minute later. */
export function startUpkeep(parts: UpkeepParts): Upkeep {
  const { access, store, clock, logger, nextId, branchArchiveAfterMs } = parts;
  let stopping = false;
  let sweeps = 0;

  const writeUseDown = async () => {
    const now = clock.now();
    const environments = access.environments.all().filter(({ used }) => used);
    const keys = access.keys.all().filter(({ used }) => used);
    for (const each of [...environments, ...keys]) each.used = false;
    for (const environment of environments) environment.last_active_at = now;
    for (const key of keys) key.lastUsedAt = now;
    const stored = keys.flatMap(({ id }) => (id === null ? [] : [id]));
    const { sessions, users } = access.people.takeUsed();
    if (environments.length === 0 && stored.length === 0 && sessions.length === 0) return;
    try {
      await store.execute("touchAccess", {
        now,
        environments: environments.map(({ id }) => id),
        keys: stored,
        sessions,
        users,
      });
    } catch (error) {
      // Told again in a minute, of whatever stands for them then.
      for (const { id } of environments) markUsed(access.environments.byId(id));
      const ids = new Set(stored);
      for (const key of access.keys.all()) if (key.id !== null && ids.has(key.id)) key.used = true;
      access.people.keepUsed(sessions);
      throw error;
    }
  };

  const archiveUnused = async () => {
    const now = clock.now();
    const unusedSince = now - branchArchiveAfterMs;
    let archived = 0;
    for (const environment of access.environments.all()) {
      const { id, type, name, archived_at, auto_archive, used, last_active_at, created_at } = environment;
      if (stopping || type !== "branch" || archived_at !== null || auto_archive === 0 || used) continue;
      if ((last_active_at ?? created_at) > unusedSince) continue;
      const author: Author = {
        auditId: nextId(now),
        now,
        kind: "service",
        id: null,
        name: "svc",
        address: null,
      };
      // The store looks again: what is in memory may be a reload behind.
      const done = await store.execute("archiveEnvironment", { author, id, archived: true, unusedSince });
      if (!done) continue;
      archived++;
      logger.info("archived a branch that was not used", { environment: name });
    }
    if (archived > 0) await access.reload();
  };

  const removeEnded = async () => {
    const now = clock.now();
    await store.execute("removeDeadKeys", { before: now - DEAD_KEYS_KEPT_MS });
    if (sweeps++ % EXPIRE_EVERY !== 0) return;
    const idleSince = now - SESSION_IDLE_MS;
    await store.execute("expireAccess", { now, idleSince, linksBefore: now - LINKS_KEPT_MS });
  };

  const once = async () => {
    await writeUseDown();
    await archiveUnused();
    await removeEnded();
  };

  const minute = everyMinute(clock, once, (error) =>
    logger.warn("the use of environments, keys and sessions could not be written down", { error }),
  );

  return {
    sweep: minute.now,
    async stop() {
      stopping = true;
      await minute.stop();
      await writeUseDown().catch((error) =>
        logger.warn("the last use of environments, keys and sessions could not be written down", { error }),
      );
    },
  };
}

function markUsed(environment: { used: boolean } | undefined): void {
  if (environment !== undefined) environment.used = true;
}
