/**
 * Signing keys and signatures. A request's signature is `t=<unix seconds>&s=<hex HMAC-SHA256(body + t)>`,
 * keyed with the text of the signing key without its prefix. Web Crypto runs everywhere; where `node:crypto`
 * is built in it is taken instead, because it signs without a trip through a thread pool: 4 µs instead of 45.
 */

/** A signature older (or newer) than this is refused: 5 minutes, in seconds. */
export const SIGNATURE_MAX_AGE_S = 300;

const KEY_FORM = /^(signkey-[\w-]+?-)?([0-9a-fA-F]+)$/;

/**
 * Split a signing key into its prefix (`signkey-<env>-` or empty) and its secret hex text.
 * @example splitSigningKey("signkey-prod-abcd") // { prefix: "signkey-prod-", secret: "abcd" }
 */
export function splitSigningKey(key: string): { prefix: string; secret: string } | undefined {
  const match = KEY_FORM.exec(key.trim());
  return match ? { prefix: match[1] ?? "", secret: match[2]! } : undefined;
}

/**
 * The bearer token an app shows to the service: the prefix and the SHA-256 of the key's hex-decoded bytes.
 * The service keeps only this, never the key itself, to check apps.
 */
export async function hashSigningKey(key: string): Promise<string> {
  const { prefix, secret } = splitSigningKey(key) ?? { prefix: "", secret: "" };
  const bytes = Uint8Array.from(secret.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return prefix + toHex(await crypto.subtle.digest("SHA-256", bytes));
}

/**
 * Sign a body now.
 * @param now milliseconds since the epoch
 * @returns the value of the signature header
 */
export async function signBody(body: string, key: string, now: number): Promise<string> {
  const seconds = Math.floor(now / 1000);
  return `t=${seconds}&s=${await hmac(body + seconds, key)}`;
}

/** Why a signature was refused, or `"valid"`. */
export type SignatureVerdict = "valid" | "missing" | "malformed" | "expired" | "mismatch";

/** Check a signature header against a body with one key, and with a fallback key when the first fails. */
export async function verifySignature(
  body: string,
  header: string | null | undefined,
  keys: { key: string; fallback?: string | undefined },
  now: number,
): Promise<SignatureVerdict> {
  if (!header) return "missing";
  const parsed = parseSignature(header);
  if (!parsed) return "malformed";
  if (Math.abs(now / 1000 - parsed.time) > SIGNATURE_MAX_AGE_S) return "expired";
  for (const key of [keys.key, keys.fallback]) {
    if (key && equalText(await hmac(body + parsed.time, key), parsed.mac)) return "valid";
  }
  return "mismatch";
}

/** The parts of a signature header. */
export function parseSignature(header: string): { time: number; mac: string } | undefined {
  const match = /^t=(\d{1,12})&s=([0-9a-f]{64})$/.exec(header);
  return match ? { time: Number(match[1]), mac: match[2]! } : undefined;
}

interface NodeCrypto {
  createHmac(hash: "sha256", key: string): { update(text: string): { digest(encoding: "hex"): string } };
}

const nodeCrypto = (
  globalThis as { process?: { getBuiltinModule?(name: "node:crypto"): NodeCrypto | undefined } }
).process?.getBuiltinModule?.("node:crypto");

const importedKeys = new Map<string, Promise<CryptoKey>>();

async function hmac(text: string, key: string): Promise<string> {
  if (!nodeCrypto) return webHmac(text, key);
  return nodeCrypto
    .createHmac("sha256", splitSigningKey(key)?.secret ?? key)
    .update(text)
    .digest("hex");
}

/** The same by Web Crypto. */
export async function webHmac(text: string, key: string): Promise<string> {
  let imported = importedKeys.get(key);
  if (!imported) {
    const secret = new TextEncoder().encode(splitSigningKey(key)?.secret ?? key);
    imported = crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    if (importedKeys.size > 100) importedKeys.clear();
    importedKeys.set(key, imported);
  }
  return toHex(await crypto.subtle.sign("HMAC", await imported, new TextEncoder().encode(text)));
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function toHex(buffer: ArrayBuffer): string {
  let text = "";
  for (const byte of new Uint8Array(buffer)) text += HEX[byte];
  return text;
}

/** Compare without telling by its duration where two texts differ. */
function equalText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
