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
 * Stripe: HMAC-SHA256 of `<t>.<body>` in hex, under the endpoint's secret as it stands, `whsec_` included.
 * @param signature value of `Stripe-Signature`: `t=<seconds>,v1=<hex>`; with several `v1` while secrets are rotated
 */
export function verifyStripe(
  body: Body,
  signature: string | undefined,
  secret: string,
  freshness: Freshness,
): Verdict {
  if (!signature) return "missing";
  const items = signature.split(",", 20).map((item) => item.trim());
  const time = items.find((item) => item.startsWith("t="))?.slice(2) ?? "";
  const given = items.filter((item) => item.startsWith("v1=")).map((item) => item.slice(3));
  const seconds = secondsOf(time);
  if (seconds === undefined || given.length === 0) return "malformed";

  const expected = hmac("sha256", secret, [`${time}.`, body], "hex");
  if (!given.some((mac) => equalTexts(mac, expected))) return "mismatch";
  return verdictOnAge(seconds * 1000, freshness);
}
