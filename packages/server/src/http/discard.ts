/** Reading away what a refused client still sends, within bounds. */
import type { IncomingMessage } from "node:http";

/** Bytes and time granted to a client to finish a body nobody wants; enough for one that did not know better. */
export const DISCARD_LIMITS = { bytes: 32 * 1024 * 1024, ms: 10_000 } as const;

/**
 * Read the rest of a body and throw it away.
 * @returns true when all of it came, so that the connection can go on; false when the client left or passed
 * a limit, and only closing is left. Never rejects.
 */
export function discardBody(
  req: IncomingMessage,
  limits: { bytes: number; ms: number } = DISCARD_LIMITS,
): Promise<boolean> {
  return new Promise((resolve) => {
    if (req.readableEnded) return resolve(true);
    if (req.destroyed) return resolve(false);
    let left = limits.bytes;
    const finish = (whole: boolean): void => {
      clearTimeout(timer);
      req.off("data", onData);
      req.off("end", onEnd);
      req.off("close", onGone);
      req.off("error", onGone);
      resolve(whole);
    };
    const onData = (chunk: Buffer): void => {
      left -= chunk.length;
      if (left < 0) finish(false);
    };
    const onEnd = (): void => finish(true);
    const onGone = (): void => finish(false);
    const timer = setTimeout(finish, limits.ms, false);
    // A connection on its way out must not hold up a shutdown.
    timer.unref();
    req.on("data", onData);
    req.on("end", onEnd);
    req.on("close", onGone);
    req.on("error", onGone);
    req.resume();
  });
}
