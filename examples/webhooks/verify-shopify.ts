import { type Body, equalTexts, hmac, type Verdict } from "./signature.ts";

/**
 * Shopify: HMAC-SHA256 of the body in base64, under the app's client secret. Neither a time nor the headers are
 * signed: do not take the shop or the topic for proven.
 * @param signature value of `X-Shopify-Hmac-Sha256`
 */
export function verifyShopify(body: Body, signature: string | undefined, secret: string): Verdict {
  if (!signature) return "missing";
  return equalTexts(signature, hmac("sha256", secret, [body], "base64")) ? "valid" : "mismatch";
}
