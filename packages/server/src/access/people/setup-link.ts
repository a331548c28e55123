/** The link by which the first account of a service is made. It is never stored: each start without an owner has its own. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";

const VALID_MS = 24 * 3_600_000;

export interface SetupLink {
  /** What the link ends with. It has no prefix of ours, because the log hides what has. */
  token: string;
  /** Whether this is the link's token, and it is still valid. */
  opens(token: string): boolean;
}

export function createSetupLink(now: () => number): SetupLink {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = now() + VALID_MS;
  const digest = (text: string) => hash("sha256", text, "buffer");
  return { token, opens: (given) => timingSafeEqual(digest(given), digest(token)) && now() < expiresAt };
}
