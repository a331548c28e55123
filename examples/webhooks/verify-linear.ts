import { type Body, equalTexts, type Freshness, hmac, type Verdict, verdictOnAge } from "./signature.ts";

/**
 * Linear: HMAC-SHA256 of the body in hex. The time of sending is in the body, as `webhookTimestamp`, in
 * milliseconds.
 * @param signature value of `Linear-Signature`
 */
export function verifyLinear(
  body: Body,
  signature: string | undefined,
  secret: string,
  freshness: Freshness,
): Verdict {
  if (!signature) return "missing";
  if (!equalTexts(signature, hmac("sha256", secret, [body], "hex"))) return "mismatch";
  const sentAt = sentAtOf(body);
  return sentAt === undefined ? "malformed" : verdictOnAge(sentAt, freshness);
}

function sentAtOf(body: Body): number | undefined {
  try {
    const time: unknown = JSON.parse(Buffer.from(body).toString("utf8"))?.webhookTimestamp;
    return typeof time === "number" ? time : undefined;
  } catch {
    return undefined;
  }
}
