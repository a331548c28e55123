/** Fresh secrets, their hashes, and the encryption of those that must be read again. */
import { createCipheriv, createDecipheriv, createHash, hash, randomBytes } from "node:crypto";

/** Each kind has 256 bits of randomness and a prefix by which people and secret scanners know it. */
const PREFIXES = {
  event: "svc_evt_",
  api: "svc_api_",
  webhook: "svc_whk_",
  session: "svc_ses_",
  invitation: "svc_inv_",
  reset: "svc_rst_",
} as const;

/** What every webhook key begins with, so that the hot path knows one without looking it up. */
export const WEBHOOK_KEY_PREFIX = PREFIXES.webhook;

/** @example freshSecret("event") // "svc_evt_" and 43 more characters */
export function freshSecret(kind: keyof typeof PREFIXES): string {
  return PREFIXES[kind] + randomBytes(32).toString("base64url");
}

/**
 * A fresh signing key; clients tell production's and the branches' apart by its prefix.
 * @example freshSigningKey("prod") // "signkey-prod-" and 64 hex digits
 */
export function freshSigningKey(label: string): string {
  return `signkey-${label}-${randomBytes(32).toString("hex")}`;
}

/**
 * What is stored of a secret of 256 random bits: there is nothing to guess, so one SHA-256 does. Finding it by its hash
 * tells by its duration nothing about the secrets there are.
 */
export function digest(secret: string): string {
  return hash("sha256", secret, "base64");
}

/** @example hintOf("svc_evt_abc…xyz1") // "svc_evt_…xyz1" */
export function hintOf(secret: string): string {
  const prefix = /^(svc_[a-z]+_|signkey-[\w-]+-)/.exec(secret)?.[1] ?? "";
  return `${prefix}…${secret.length - prefix.length < 16 ? "" : secret.slice(-4)}`;
}

/** Encrypts secrets that the service must be able to read again: signing keys and the URLs of webhooks. */
export interface Sealer {
  seal(secret: string): string;
  /** @throws Error when it was sealed with another key, or changed since */
  open(sealed: string): string;
}

/** AES-256-GCM under a key derived from `masterKey`, a text of any length. */
export function createSealer(masterKey: string): Sealer {
  const key = createHash("sha256").update("svc sealed secrets\0").update(masterKey).digest();
  return {
    seal(secret) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
    },
  };
}
