import { type Body, equalTexts, hmac, type Verdict } from "./signature.ts";

/**
 * GitHub: `sha256=` and the HMAC-SHA256 of the body in hex. No time is signed, so an old request cannot be told
 * from a new one by its signature.
 * @param signature value of `X-Hub-Signature-256`
 */
export function verifyGithub(body: Body, signature: string | undefined, secret: string): Verdict {
  if (!signature) return "missing";
  if (!signature.startsWith("sha256=")) return "malformed";
  const expected = `sha256=${hmac("sha256", secret, [body], "hex")}`;
  return equalTexts(signature, expected) ? "valid" : "mismatch";
}
