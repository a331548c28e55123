/** What happens to sessions by itself: their use is written down, and what has ended is removed. */
import type { Clock } from "../../clock.ts";
import { everyMinute } from "../../every-minute.ts";
import type { Logger } from "../../observe/log.ts";
import type { Store } from "../../store/store.ts";
import type { Access } from "../access.ts";
import { SESSION_IDLE_MS } from "./people.ts";

export interface SessionUpkeepParts {
  access: Pick<Access, "people">;
  store: Pick<Store, "execute">;
  clock: Clock;
  logger: Logger;
}

export interface SessionUpkeep {
  /** Do now what is done every minute. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

/** Sweeps between two removals of what has ended. */
const EXPIRE_EVERY = 60;
/** Links are kept this long after their end. */
const LINKS_KEPT_MS = 7 * 86_400_000;

/** Start it in the background. What fails is tried again a minute later. */
export function startSessionUpkeep({ access, store, clock, logger }: SessionUpkeepParts): SessionUpkeep {
  let sweeps = 0;

  const writeUseDown = async () => {
    const { sessions, users } = access.people.takeUsed();
    if (sessions.length === 0) return;
    const used = { now: clock.now(), environments: [], keys: [], sessions, users };
    await store.execute("touchAccess", used).catch((error) => {
      access.people.keepUsed(sessions);
      throw error;
    });
  };
  const once = async () => {
    await writeUseDown();
    if (sweeps++ % EXPIRE_EVERY !== 0) return;
    const now = clock.now();
    const idleSince = now - SESSION_IDLE_MS;
    await store.execute("expireAccess", { now, idleSince, linksBefore: now - LINKS_KEPT_MS });
  };
  const minute = everyMinute(clock, once, (error) =>
    logger.warn("the use of sessions could not be written down", { error }),
  );

  return {
    sweep: minute.now,
    async stop() {
      await minute.stop();
      await writeUseDown().catch((error) =>
        logger.warn("the last use of sessions could not be written down", { error }),
      );
    },
  };
}
