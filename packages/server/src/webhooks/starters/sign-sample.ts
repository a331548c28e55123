/** Signatures of sample requests, one function for each scheme that producers use. */
import { createHmac } from "node:crypto";

/**
 * HMAC of a text under a secret taken as text.
 * @example hmac("sha256", "secret", "{}", "hex")
 */
export function hmac(
  hash: "sha1" | "sha256",
  secret: string | Uint8Array,
  text: string,
  encoding: "hex" | "base64",
): string {
  return createHmac(hash, secret).update(text).digest(encoding);
}

/** Value of `Stripe-Signature`. @param seconds since the epoch */
export function stripeSignature(body: string, secret: string, seconds: number): string {
  return `t=${seconds},v1=${hmac("sha256", secret, `${seconds}.${body}`, "hex")}`;
}

/**
 * Value of `svix-signature`, or of `webhook-signature` of Standard Webhooks: one scheme, two sets of names.
 * @param secret `whsec_` and the key in base64
 * @param seconds since the epoch
 */
export function standardSignature(body: string, secret: string, id: string, seconds: number): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${hmac("sha256", key, `${id}.${seconds}.${body}`, "base64")}`;
}

/** Value of `X-Slack-Signature`. @param seconds since the epoch */
export function slackSignature(body: string, secret: string, seconds: number): string {
  return `v0=${hmac("sha256", secret, `v0:${seconds}:${body}`, "hex")}`;
}
