/** Turns for copying the steps of runs: many copies in one transaction would keep everybody else waiting for it. */
import { ServiceError } from "../errors.ts";

export interface CopyTurnsOptions {
  /** Bytes that are copied at once; a larger copy is made alone. */
  atOnce?: number;
  /** Bytes that may wait for their turn. */
  waiting?: number;
}

/**
 * Make a copy when its turn has come: in the order in which they were asked for.
 * @throws ServiceError `rate_limited` with `retry_after`, s, when too much waits already
 */
export type CopyTurns = <T>(bytes: number, copy: () => Promise<T>) => Promise<T>;

/** The writer copies some 250 bytes a microsecond: about 30 ms. */
const AT_ONCE = 8 * 1024 * 1024;
/** About 4 s of the writer's time. */
const WAITING = 1024 * 1024 * 1024;
/** What a copy counts for at least: rows take time, too. */
const LEAST = 4 * 1024;

/** @example const copying = createCopyTurns(); await copying(30_000_000, () => store.execute("createRun", args)) */
export function createCopyTurns({ atOnce = AT_ONCE, waiting = WAITING }: CopyTurnsOptions = {}): CopyTurns {
  const line: { bytes: number; begin: () => void }[] = [];
  let underWay = 0;
  let inLine = 0;

  const next = () => {
    for (let first = line[0]; first !== undefined; first = line[0]) {
      if (underWay > 0 && underWay + first.bytes > atOnce) return;
      line.shift();
      inLine -= first.bytes;
      underWay += first.bytes;
      first.begin();
    }
  };
  return async (size, copy) => {
    const bytes = Math.max(size, LEAST);
    if (line.length > 0 && inLine + bytes > waiting) {
      throw new ServiceError(
        "rate_limited",
        "Too many reruns that take over steps are waiting: try again later.",
        {
          retry_after: 5,
        },
      );
    }
    await new Promise<void>((begin) => {
      line.push({ bytes, begin });
      inLine += bytes;
      next();
    });
    try {
      return await copy();
    } finally {
      underWay -= bytes;
      next();
    }
  };
}
