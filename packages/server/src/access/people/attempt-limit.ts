/** Bounds how often somebody may try to guess: so many attempts per key and window, in bounded memory. */
import { ServiceError } from "../../errors.ts";
import { ipv6Words, parseIp } from "../gate/ip-address.ts";

export interface AttemptLimitOptions {
  /** Attempts per key and window. */
  limit: number;
  windowMs: number;
  now: () => number;
  /** Keys that are remembered at most; past that the oldest is forgotten. */
  maxKeys?: number;
}

export interface AttemptLimit {
  /**
   * Count an attempt before it is made: many at once must not all pass.
   * @throws ServiceError `rate_limited` with `retry_after`, s
   */
  take(key: string): void;
  /** Take back one attempt, because it was none: it succeeded. */
  giveBack(key: string): void;
  /** Forget the attempts of a key. */
  clear(key: string): void;
}

/** @example const byEmail = createAttemptLimit({ limit: 10, windowMs: 900_000, now: Date.now }) */
export function createAttemptLimit(options: AttemptLimitOptions): AttemptLimit {
  const { limit, windowMs, now, maxKeys = 20_000 } = options;
  // In the order in which windows began, so the first one is the oldest.
  const windows = new Map<string, { endsAt: number; count: number }>();

  const makeRoom = () => {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now() && windows.size < maxKeys) return;
      windows.delete(key);
    }
  };
  return {
    take(key) {
      let window = windows.get(key);
      if (window === undefined || window.endsAt <= now()) {
        windows.delete(key);
        makeRoom();
        window = { endsAt: now() + windowMs, count: 0 };
        windows.set(key, window);
      }
      if (window.count >= limit) {
        throw new ServiceError("rate_limited", "Too many attempts: try again later.", {
          retry_after: Math.ceil((window.endsAt - now()) / 1000),
        });
      }
      window.count++;
    },
    giveBack(key) {
      const window = windows.get(key);
      if (window === undefined) return;
      // A window without attempts would only push out others: what costs nothing must leave nothing behind.
      if (window.count <= 1) windows.delete(key);
      else window.count--;
    },
    clear: (key) => void windows.delete(key),
  };
}

/**
 * What stands for a client: its address, of IPv6 the /64 that one customer has.
 * @example clientKey("2001:db8:1:2:3:4:5:6") // "2001:db8:1:2::/64"
 */
export function clientKey(address: string): string {
  const ip = parseIp(address);
  if (ip === undefined || ip.length === 1) return address;
  const [high = 0, low = 0] = ipv6Words(address.replace(/%.*$/, ""));
  const groups = [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff];
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
}
