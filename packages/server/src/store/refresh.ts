/** Keeps a copy in memory as the store has it: read anew when something was changed, and again until that works. */
import type { Clock } from "../clock.ts";

export interface RefreshParts<Stored> {
  clock: Pick<Clock, "after">;
  read(): Promise<Stored>;
  /** Put what was read in the place of the copy. */
  take(stored: Stored): void;
}

/** After a read that failed, ms: until it works, what was revoked is still in memory. */
const AGAIN_AFTER_MS = 500;

/**
 * @returns what reads everything anew; when it resolves, all that was written before it was called is in force. It rejects
 * when the store cannot be read, and then tries again by itself until it can.
 * @example const reload = createRefresh({ clock, read: () => store.query("loadWebhooks", {}), take });
 */
export function createRefresh<Stored>({ clock, read, take }: RefreshParts<Stored>): () => Promise<void> {
  let asked = 0;
  let taken = 0;
  let waiting = false;

  const refresh = async (): Promise<void> => {
    const turn = ++asked;
    let stored: Stored;
    try {
      stored = await read();
    } catch (error) {
      // Unless a later one has worked: that had this one's changes, too.
      if (turn > taken && !waiting) {
        waiting = true;
        clock.after(AGAIN_AFTER_MS, again);
      }
      throw error;
    }
    // One that was asked for later knows more; if it was faster, this one's changes are in force already.
    if (turn < taken) return;
    take(stored);
    taken = turn;
  };
  const again = () => {
    waiting = false;
    // Whoever asked was told of the fault; each failure sets the next try.
    refresh().catch(() => {});
  };
  return refresh;
}
