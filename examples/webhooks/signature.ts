/** What the checks of all producers share. Copy it beside the `verify-….ts` that you need. */
import { createHmac, timingSafeEqual } from "node:crypto";

/** Why a signature was refused, or `"valid"`. Only `"valid"` is good. */
export type Verdict = "valid" | "missing" | "malformed" | "mismatch" | "expired";

/** The body exactly as it was sent: its text, or its bytes when it was not text. */
export type Body = string | Uint8Array;

export interface Freshness {
  /** Milliseconds since the epoch. */
  now: number;
  /** How far the producer's time of signing may lie from `now`, in milliseconds; 5 minutes unless told. */
  toleranceMs?: number;
}

/** What most producers recommend, in milliseconds. */
const TOLERANCE_MS = 5 * 60_000;

/**
 * HMAC of the parts, one after the other, as text.
 * @throws TypeError when the secret is empty: everybody could sign with it
 */
export function hmac(
  hash: "sha1" | "sha256",
  secret: string | Uint8Array,
  parts: Body[],
  encoding: "hex" | "base64",
): string {
  if (secret.length === 0) throw new TypeError("The secret is empty.");
  const mac = createHmac(hash, secret);
  for (const part of parts) mac.update(part);
  return mac.digest(encoding);
}

/** Compare without telling by its duration where two texts differ. */
export function equalTexts(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Seconds since the epoch as producers write them; undefined for anything else. */
export function secondsOf(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** The verdict on a request whose signature is right: whether it was signed recently. Times in milliseconds. */
export function verdictOnAge(signedAt: number, { now, toleranceMs = TOLERANCE_MS }: Freshness): Verdict {
  return Math.abs(now - signedAt) <= toleranceMs ? "valid" : "expired";
}
