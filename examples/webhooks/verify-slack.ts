import {
  type Body,
  equalTexts,
  type Freshness,
  hmac,
  secondsOf,
  type Verdict,
  verdictOnAge,
} from "./signature.ts";

/**
 * Slack: `v0=` and the HMAC-SHA256 of `v0:<timestamp>:<body>` in hex, under the app's signing secret.
 * @param timestamp value of `X-Slack-Request-Timestamp`: seconds since the epoch
 * @param signature value of `X-Slack-Signature`
 */
export function verifySlack(
  body: Body,
  { timestamp, signature }: { timestamp: string | undefined; signature: string | undefined },
  secret: string,
  freshness: Freshness,
): Verdict {
  if (!timestamp || !signature) return "missing";
  const seconds = secondsOf(timestamp);
  if (seconds === undefined || !signature.startsWith("v0=")) return "malformed";

  const expected = `v0=${hmac("sha256", secret, [`v0:${timestamp}:`, body], "hex")}`;
  if (!equalTexts(signature, expected)) return "mismatch";
  return verdictOnAge(seconds * 1000, freshness);
}
