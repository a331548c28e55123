import { type Body, equalTexts, hmac, type Verdict } from "./signature.ts";

/**
 * Intercom: `sha1=` and the HMAC-SHA1 of the body in hex, under the app's client secret. No time is signed.
 * @param signature value of `X-Hub-Signature`
 */
export function verifyIntercom(body: Body, signature: string | undefined, secret: string): Verdict {
  if (!signature) return "missing";
  if (!signature.startsWith("sha1=")) return "malformed";
  const expected = `sha1=${hmac("sha1", secret, [body], "hex")}`;
  return equalTexts(signature, expected) ? "valid" : "mismatch";
}
