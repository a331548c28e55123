import {
  type Body,
  equalTexts,
  type Freshness,
  hmac,
  secondsOf,
  type Verdict,
  verdictOnAge,
} from "./signature.ts";

export interface StandardWebhook {
  /** Value of `webhook-id` or `svix-id`. */
  id: string | undefined;
  /** Value of `webhook-timestamp` or `svix-timestamp`: seconds since the epoch. */
  timestamp: string | undefined;
  /** Value of `webhook-signature` or `svix-signature`: `v1,<base64>`, several of them with spaces between. */
  signature: string | undefined;
}

/**
 * Standard Webhooks and Svix (Clerk, Resend and many others): HMAC-SHA256 of `<id>.<timestamp>.<body>` in base64,
 * under the bytes that the secret has in base64 after `whsec_`.
 * @example verifyStandardWebhook(body, { id, timestamp, signature }, "whsec_c2FtcGxl", { now: Date.now() })
 */
export function verifyStandardWebhook(
  body: Body,
  { id, timestamp, signature }: StandardWebhook,
  secret: string,
  freshness: Freshness,
): Verdict {
  if (!id || !timestamp || !signature) return "missing";
  const seconds = secondsOf(timestamp);
  const given = signature.split(" ", 20).filter((item) => item.startsWith("v1,"));
  if (seconds === undefined || given.length === 0) return "malformed";

  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = `v1,${hmac("sha256", key, [`${id}.${timestamp}.`, body], "base64")}`;
  if (!given.some((mac) => equalTexts(mac, expected))) return "mismatch";
  return verdictOnAge(seconds * 1000, freshness);
}
