/** Keeps a copy in memory as the store has it: read anew when something was changed, and again until that works. */
import type { Clock } from "../clock.ts";

export interface RefreshParts<Stored> {
  clock: Pick<Clock, "after">;
  read(): Promise<Stored>;
  /** Put what was read in the place of the copy. */
  take(stored: Stored): void;
}

export interface Refresh {
  /**
   * Read everything anew; when it resolves, all that was written before it was called is in force. It rejects when the
   * store cannot be read or what was read cannot be taken, and then tries again by itself until that works.
   */
  reload(): Promise<void>;
  /**
   * Make a change of the copy that the store has just made durable, where reading everything would be too much. It is
   * made again after reads that were under way, for they may not have seen it: so it must do nothing the second time.
   */
  apply(change: () => void): void;
}

/** After a read that failed, ms: until it works, what was revoked is still in memory. */
const AGAIN_AFTER_MS = 500;

/** @example const { reload } = createRefresh({ clock, read: () => store.query("loadWebhooks", {}), take }); */
export function createRefresh<Stored>({ clock, read, take }: RefreshParts<Stored>): Refresh {
  let asked = 0;
  let taken = 0;
  let waiting = false;
  let underWay = 0;
  /** Changes made while reads were under way, and the last of these reads. */
  let changes: { upTo: number; change: () => void }[] = [];

  const reload = async (): Promise<void> => {
    const turn = ++asked;
    underWay++;
    try {
      const stored = await read();
      // One that was asked for later knows more; if it was faster, this one's changes are in force already.
      if (turn > taken) {
        take(stored);
        taken = turn;
        for (const { upTo, change } of changes) if (turn <= upTo) change();
      }
    } catch (error) {
      // Unless a later one has worked: that had this one's changes, too.
      if (turn > taken && !waiting) {
        waiting = true;
        clock.after(AGAIN_AFTER_MS, again);
      }
      throw error;
    } finally {
      underWay--;
      // Reads that begin now see them.
      if (underWay === 0) changes = [];
    }
  };
  const again = () => {
    waiting = false;
    // Whoever asked was told of the fault; each failure sets the next try.
    reload().catch(() => {});
  };
  return {
    reload,
    apply(change) {
      change();
      if (underWay > 0) changes.push({ upTo: asked, change });
    },
  };
}
